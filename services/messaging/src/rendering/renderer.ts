import { createFairTurns } from '../fair-turns.ts'
import { type Rendered, renderMarkdown } from './render-markdown.ts'
import { createRenderingThread, type RenderingJob } from './rendering-thread.ts'

/** Renders texts without holding up the requests of others. */
export interface Renderer {
  /**
   * Null when it takes more than 5 s, or too much memory. `authorId` is who answers for the text: long ones of one wait
   * for each other, and hardly for those of others. Throws SERVICE_UNAVAILABLE where there is too much to render.
   */
  render(authorId: number, job: RenderingJob): Promise<Rendered | null>
  close(): Promise<void>
}

/** Longer texts, in code units, are rendered beside the event loop: nothing shorter was seen to take 20 ms. */
const MAX_LENGTH = 2_000
/** The same for texts with mathematics, which is the most work by far. */
const MAX_LENGTH_WITH_MATH = 400
/** So many linkifiers, each of which searches every line, can be as much work as all the rest. */
const LINKIFIERS_PER_RENDERING = 25

/** The API's limit; waiting for a turn doesn't count. */
const TIMEOUT_MS = 5_000
/** Too small refuses what would only have taken longer; too large, and clients have given up when they are answered. */
const MAX_WAIT_MS = 10_000
/** Each may hold some 100 KB. */
const MAX_WAITING = 500

/** Closing it closes the thread. */
export function createRenderer(thread = createRenderingThread()): Renderer {
  const takeTurn = createFairTurns({
    maxAtOnce: 1,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    refusal: 'There is too much to render; try again shortly',
  })
  return {
    render: async (authorId, job) => {
      if (isQuick(job)) return renderMarkdown(job.content, job.directory, job.settings)
      return takeTurn(authorId, () => thread.run(job, TIMEOUT_MS))
    },
    close: () => thread.close(),
  }
}

function isQuick({ content, settings }: RenderingJob): boolean {
  const hasMath = content.includes('$$') || content.includes('math')
  const searches = 1 + settings.linkifiers.length / LINKIFIERS_PER_RENDERING
  return content.length * searches <= (hasMath ? MAX_LENGTH_WITH_MATH : MAX_LENGTH)
}
