import { AppError } from '@tms/contracts'
import type { Tinypool } from 'tinypool'
import { createDirectory, type RenderingDirectory } from './directory.ts'
import type { Rendered } from './render-markdown.ts'
import { plainSettings, type RenderingSettings } from './rendering-settings.ts'

/** A text with all that its rendering depends on. */
export interface RenderingJob {
  readonly content: string
  readonly directory: RenderingDirectory
  readonly settings: RenderingSettings
}

/** Renders texts beside the event loop, one at a time. */
export interface RenderingThread {
  /**
   * Null where it takes longer than that, or too much memory. Throws SERVICE_UNAVAILABLE where the thread, which starts
   * with the first text, doesn't start.
   */
  run(job: RenderingJob, timeoutMs: number): Promise<Rendered | null>
  close(): Promise<void>
}

/** What no text was seen to need; without a limit a thread takes what the process has. */
const MAX_HEAP_MB = 256
/** How long the thread, which costs some 60 MB, stays when there is nothing to do. */
const IDLE_MS = 60_000
/** It takes 0.4 s, and far longer where the processor is busy with others. */
const START_TIMEOUT_MS = 15_000

const nothing: RenderingJob = { content: '', directory: createDirectory({}), settings: plainSettings }

/** Has a thread stand by from the first text on. */
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
      // A text isn't to blame for the time that the start takes.
      if ((await open()).threads.length === 0 && (await runWithin(nothing, START_TIMEOUT_MS)) === null) {
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
    // One, so that hostile texts can't take more than a core from everyone else.
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    // Whatever the process was started with is not for the thread.
    execArgv: [],
  })
}

function isOutOfMemory(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
