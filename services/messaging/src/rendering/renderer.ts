import { createFairQueue } from '../kernel/concurrency/fair-queue.ts'
import type { Renderer, RenderingJob } from '../kernel/rendering/renderer.ts'
import { renderMarkdown } from './render-markdown.ts'
import { createRenderingThread } from './rendering-thread.ts'

/** Longer texts, in code units, are rendered in a thread: no shorter one was seen to take 20 ms. */
const MAX_LENGTH = 2_000

/** The same for texts with mathematics, which is by far the most work. */
const MAX_LENGTH_WITH_MATH = 400

/** So many linkifiers, each of which searches every line, can be as much work as everything else. */
const LINKIFIERS_PER_RENDERING = 25

/** The API's limit; time in the queue doesn't count. */
const TIMEOUT_MS = 5_000

/** Too small rejects texts that would only have taken longer; too large answers clients that have given up. */
const MAX_WAIT_MS = 10_000

/** Each waiting text may take some 100 KB. */
const MAX_WAITING = 500

/** Closing it closes the thread. */
export function createRenderer(thread = createRenderingThread()): Renderer {
  const takeTurn = createFairQueue({
    maxAtOnce: 1,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
    refusal: 'There is too much to render; try again shortly',
  })
  return {
    render: async (authorId, job) => {
      if (isQuick(job)) return renderMarkdown(job.content, job.lookup, job.settings)
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
