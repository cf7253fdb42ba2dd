import { AppError } from '@tms/contracts'
import type { Tinypool } from 'tinypool'
import { createMentionLookup } from '../kernel/rendering/mention-lookup.ts'
import type { Rendered, RenderingJob } from '../kernel/rendering/renderer.ts'
import { plainSettings } from '../kernel/rendering/rendering-settings.ts'

/** Renders texts in a thread, one at a time. */
export interface RenderingThread {
  /**
   * Null if it takes longer than that, or too much memory. Throws SERVICE_UNAVAILABLE if the thread, which starts with
   * the first text, can't start.
   */
  run(job: RenderingJob, timeoutMs: number): Promise<Rendered | null>
  close(): Promise<void>
}

/** More than any text was seen to need; without a limit a thread takes what the process has. */
const MAX_HEAP_MB = 256

/** How long an idle thread, which costs some 60 MB, is kept. */
const IDLE_MS = 60_000

/** Starting takes 0.4 s, and far longer on a busy processor. */
const START_TIMEOUT_MS = 15_000

const emptyJob: RenderingJob = { content: '', lookup: createMentionLookup({}), settings: plainSettings }

/** Creates the thread with the first text, and keeps it for later ones. */
export function createRenderingThread(): RenderingThread {
  let opened: Promise<Tinypool> | null = null
  const open = () => (opened ??= openPool())

  const runWithin = async (job: RenderingJob, timeoutMs: number): Promise<Rendered | null> => {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), timeoutMs)
    try {
      return (await (await open()).run(job, { signal: controller.signal })) as Rendered
    } catch (err) {
      if (controller.signal.aborted || isOutOfMemory(err)) return null
      throw err
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    run: async (job, timeoutMs) => {
      // The time of the start doesn't count for the text.
      if ((await open()).threads.length === 0 && (await runWithin(emptyJob, START_TIMEOUT_MS)) === null) {
        throw new AppError('SERVICE_UNAVAILABLE')
      }
      return runWithin(job, timeoutMs)
    },
    close: async () => (await opened)?.destroy(),
  }
}

async function openPool(): Promise<Tinypool> {
  const { Tinypool } = await import('tinypool')
  return new Tinypool({
    filename: new URL('./render-job.js', import.meta.url).href,
    minThreads: 0,
    // One, so that hostile texts can't take more than a core.
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    // Node options of the process aren't meant for the thread.
    execArgv: [],
  })
}

function isOutOfMemory(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
