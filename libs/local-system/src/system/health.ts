import { send } from '../first-organization/request-service.ts'
import { waitUntil } from '../process/wait-until.ts'
import type { Tls } from '../servers/tls-files.ts'

const READY_TIMEOUT_MS = 60_000
const PROBE_TIMEOUT_MS = 2_000

export type ReadyOptions = {
  /** Returns false once waiting is pointless. */
  isAlive: () => boolean
  /** The end of its log, for the error. */
  lastLines: () => string[]
  /** Default: a minute. */
  timeoutMs?: number | undefined
  /** TLS settings for an `https:` URL. */
  tls?: Tls | undefined
  signal?: AbortSignal | undefined
}

/** Waits until /health/ready answers 200. Throws with its last answer and the end of the log if it doesn't. */
export async function waitUntilReady(name: string, url: string, options: ReadyOptions): Promise<void> {
  let answer = 'no answer'
  const check = async () => {
    if (!options.isAlive()) throw new Error('it ended')
    const reply = await fetchReadiness(url, options.tls)
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

async function fetchReadiness(
  url: string,
  tls: Tls | undefined,
): Promise<{ isReady: boolean; text: string }> {
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
    const { status, text } = await send(`${url}/health/ready`, { ...tls, signal, agent: false }, '')
    return { isReady: status === 200, text: `${status} ${text}` }
  } catch (err) {
    return { isReady: false, text: err instanceof Error ? err.message : String(err) }
  }
}
