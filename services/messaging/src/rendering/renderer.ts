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
  /** Null when it takes longer than 5 s. */
  render(job: RenderingJob): Promise<Rendered | null>
  close(): Promise<void>
}

/** Longer texts, in code units, are rendered beside the event loop: nothing shorter was seen to take 20 ms. */
const MAX_LENGTH = 2_000
/** The same for texts with mathematics, which is the most work by far. */
const MAX_LENGTH_WITH_MATH = 400

/** The API's limit, with the time that a text waits for its turn. */
const TIMEOUT_MS = 5_000
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
    // Whatever the process was started with is not for the thread.
    execArgv: [],
  })
  return {
    render: async (job) => {
      if (isQuick(job.content)) return renderMarkdown(job.content, job.directory, job.settings)
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      try {
        return (await pool.run(job, { signal })) as Rendered
      } catch (err) {
        if (signal.aborted) return null
        throw err
      }
    },
    close: () => pool.destroy(),
  }
}

function isQuick(content: string): boolean {
  const hasMath = content.includes('$$') || content.includes('math')
  return content.length <= (hasMath ? MAX_LENGTH_WITH_MATH : MAX_LENGTH)
}
