import type { Client } from '../support/client.ts'
import { getErrorMessage } from '../support/steps.ts'

/** How many failures are printed. */
const MAX_PRINTED = 30

interface Counts {
  requests: number
  polls: number
  longestMs: number
  longest: string
}

export interface MonitoredClient {
  counts: Counts
  failures: string[]
  /** Records a failure. Prints the first ones at once: the replica being replaced then is usually the reason. */
  fail: (what: string) => void
  /** Sends a request; returns the answer, or null for a failure, which is recorded. */
  request: (...request: Parameters<Client['send']>) => Promise<Buffer | null>
  /** The same for an operation of the API; returns the fields of its answer. */
  call: <T>(...request: Parameters<Client['send']>) => Promise<T | null>
}

/**
 * A client that never retries, and records each request that doesn't succeed, with the current phase; null when the load is
 * over.
 */
export function monitorClient(
  { send }: Pick<Client, 'send'>,
  currentPhase: () => string | null,
): MonitoredClient {
  const counts: Counts = { requests: 0, polls: 0, longestMs: 0, longest: '' }
  const failures: string[] = []
  const fail = (what: string) => {
    const phase = currentPhase()
    if (phase === null) return
    const failure = `${new Date().toISOString().slice(11, 23)} ${phase}: ${what}`
    failures.push(failure)
    if (failures.length <= MAX_PRINTED) console.log(`  ${failure}`)
  }
  const request: MonitoredClient['request'] = async (method, path, options) => {
    const startedAt = performance.now()
    counts.requests += 1
    try {
      const { status, body } = await send(method, path, options)
      const ms = performance.now() - startedAt
      if (path.startsWith('/api/v1/events')) counts.polls += 1
      else if (ms > counts.longestMs) Object.assign(counts, { longestMs: ms, longest: `${method} ${path}` })
      if (status === 200) return body
      fail(`${method} ${path} answered ${status}: ${body.toString().slice(0, 200)}`)
    } catch (err) {
      fail(`${method} ${path} ${getErrorMessage(err)}`)
    }
    return null
  }
  return {
    ...{ counts, failures, fail, request },
    call: async (method, path, options) => {
      const body = await request(method, `/api/v1${path}`, options)
      return body && JSON.parse(body.toString())
    },
  }
}
