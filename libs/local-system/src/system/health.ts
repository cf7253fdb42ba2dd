import { waitUntil } from '../process/wait-until.ts'

const READY_TIMEOUT_MS = 60_000
const PROBE_TIMEOUT_MS = 2_000

export type ReadyOptions = {
  /** Answers false once there is no point in waiting. */
  isAlive: () => boolean
  /** The end of its log, for the error. */
  lastLines: () => string[]
  /** Default: a minute. */
  timeoutMs?: number | undefined
  signal?: AbortSignal | undefined
}

/** Waits until /health/ready answers 200. Throws with its last answer and the end of the log when it doesn't. */
export async function waitUntilReady(name: string, url: string, options: ReadyOptions): Promise<void> {
  let answer = 'no answer'
  const check = async () => {
    if (!options.isAlive()) throw new Error('it ended')
    const reply = await askReady(url)
    answer = reply.text
    return reply.isReady
  }
  try {
    await waitUntil(check, {
      what: 'it to be ready',
      timeoutMs: options.timeoutMs ?? READY_TIMEOUT_MS,
      signal: options.signal,
    })
  } catch (err) {
    options.signal?.throwIfAborted()
    const reason = err instanceof Error ? err.message : String(err)
    throw new Error(
      [`${name} did not start: ${reason}`, `/health/ready: ${answer}`, ...options.lastLines()].join('\n'),
    )
  }
}

async function askReady(url: string): Promise<{ isReady: boolean; text: string }> {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    return { isReady: response.status === 200, text: `${response.status} ${await response.text()}` }
  } catch (err) {
    const cause = err instanceof Error && err.cause instanceof Error ? err.cause : err
    return { isReady: false, text: cause instanceof Error ? cause.message : String(cause) }
  }
}
