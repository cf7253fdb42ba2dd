import { Tinypool } from 'tinypool'
import type { RenderingDirectory } from './directory.ts'
import { type Rendered, renderMarkdown } from './render-markdown.ts'
import type { RenderingSettings } from './rendering-settings.ts'

/** A text with all that its rendering depends on. */
export interface RenderingJob {
  readonly content: string
  readonly directory: RenderingDirectory
  readonly settings: RenderingSettings
}

/** Renders texts without holding up the requests of others. */
export interface Renderer {
  /** Null when it takes more than 5 s, or too much memory. */
  render(job: RenderingJob): Promise<Rendered | null>
  close(): Promise<void>
}

/** Longer texts, in code units, are rendered beside the event loop: nothing shorter was seen to take 20 ms. */
const MAX_LENGTH = 2_000
/** The same for texts with mathematics, which is the most work by far. */
const MAX_LENGTH_WITH_MATH = 400
/** So many linkifiers, each of which searches every line, can be as much work as all the rest. */
const LINKIFIERS_PER_RENDERING = 25

/** The API's limit, with the time that a text waits for its turn. */
const TIMEOUT_MS = 5_000
/** What no text was seen to need; without a limit a thread takes what the process has. */
const MAX_HEAP_MB = 256
/** How long the thread, which costs some 60 MB, stays when there is nothing to do. */
const IDLE_MS = 60_000

/** The thread for long texts starts with the first of them. */
export function createRenderer(): Renderer {
  const pool = new Tinypool({
    filename: new URL('./render-job.js', import.meta.url).href,
    minThreads: 0,
    // One, so that hostile texts can't take more than a core from everyone else.
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    // Whatever the process was started with is not for the thread.
    execArgv: [],
  })
  return {
    render: async (job) => {
      if (isQuick(job)) return renderMarkdown(job.content, job.directory, job.settings)
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      try {
        return (await pool.run(job, { signal })) as Rendered
      } catch (err) {
        if (signal.aborted || isOutOfMemory(err)) return null
        throw err
      }
    },
    close: () => pool.destroy(),
  }
}

function isOutOfMemory(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function isQuick({ content, settings }: RenderingJob): boolean {
  const hasMath = content.includes('$$') || content.includes('math')
  const searches = 1 + settings.linkifiers.length / LINKIFIERS_PER_RENDERING
  return content.length * searches <= (hasMath ? MAX_LENGTH_WITH_MATH : MAX_LENGTH)
}
