import type { ServiceName } from '@tms/contracts'
import { type Agents, LEAVING_HEADER, type Logger, requestBy } from '@tms/service-kit'
import type { Replica, ReplicaSet } from './replica-set.ts'

/** Pause between an answer and the next health check. */
const PAUSE_MS = 5_000
/** If a timer fires so late, this process was blocked, and the answer may be waiting here too. */
const LATE_MS = 1_000

/**
 * Sends a health check to each replica that has another beside it, every few seconds. A hanging replica keeps its
 * connections, and nothing else distinguishes it from one that has pending polls. A stopped one needs no check:
 * connections to it are refused. `onUnresponsive` is called if one hasn't answered for so long and another is
 * available; its first answer makes it responsive again.
 */
export function watchReplicas(options: {
  replicas: ReadonlyMap<ServiceName, ReplicaSet>
  agents: Agents
  silentAfterMs: number
  onUnresponsive: (service: ServiceName, replica: Replica) => void
  log: Logger
}): { stop(): void } {
  const { replicas, agents, silentAfterMs, onUnresponsive, log } = options
  let isStopped = false
  const later = (ms: number, action: () => void): NodeJS.Timeout =>
    setTimeout(() => {
      if (!isStopped) action()
    }, ms).unref()

  const watch = (service: ServiceName, set: ReplicaSet, replica: Replica): void => {
    const { hostname, port, host, isTls } = replica
    const startTimer = (): NodeJS.Timeout => {
      const dueAt = performance.now() + silentAfterMs
      return later(silentAfterMs, () => {
        if (performance.now() - dueAt > LATE_MS) {
          timer = startTimer()
          return
        }
        replica.isUnresponsive = true
        log.warn({ upstream: service, host }, 'replica is silent')
        if (set.all.some((other) => !other.isUnresponsive)) onUnresponsive(service, replica)
      })
    }
    let timer = startTimer()
    const healthCheck = requestBy(isTls)({
      agent: agents.of(isTls),
      timeout: 0,
      host: hostname,
      port,
      path: '/health/live',
      headers: { host },
    })
    healthCheck.on('response', (answer) => {
      answer.on('error', () => {}).resume()
      if (replica.isUnresponsive) log.info({ upstream: service, host }, 'replica answers again')
      replica.isUnresponsive = false
      set.setLeaving(replica, answer.headers[LEAVING_HEADER] !== undefined)
    })
    healthCheck.on('error', () => {})
    // Comes exactly once, after any outcome.
    healthCheck.on('close', () => {
      clearTimeout(timer)
      later(PAUSE_MS, () => watch(service, set, replica))
    })
    healthCheck.end()
  }
  for (const [service, set] of replicas) {
    if (set.size > 1) for (const replica of set.all) watch(service, set, replica)
  }
  return {
    stop: () => {
      isStopped = true
    },
  }
}
