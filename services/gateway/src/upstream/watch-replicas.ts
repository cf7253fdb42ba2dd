import type { ServiceName } from '@tms/contracts'
import { type Agents, type Logger, requestBy } from '@tms/service-kit'
import type { Replica, ReplicaSet } from './replica-set.ts'

/** Between an answer and the next question. */
const PAUSE_MS = 5_000
/** A timer that is so late was held up here, so that the answer may wait here too. */
const LATE_MS = 1_000

/**
 * Asks each replica that has another beside it, every few seconds, whether it lives. One that hangs keeps its connections, and
 * nothing else tells it from one that holds polls. One that isn't there needs no asking: who goes there is refused.
 * `onSilent` is called when one hasn't answered for so long and another is there; the first answer ends its being silent.
 */
export function watchReplicas(options: {
  replicas: ReadonlyMap<ServiceName, ReplicaSet>
  agents: Agents
  silentAfterMs: number
  onSilent: (service: ServiceName, replica: Replica) => void
  log: Logger
}): { stop(): void } {
  const { replicas, agents, silentAfterMs, onSilent, log } = options
  let isStopped = false
  const later = (ms: number, action: () => void): NodeJS.Timeout =>
    setTimeout(() => {
      if (!isStopped) action()
    }, ms).unref()

  const watch = (service: ServiceName, set: ReplicaSet, replica: Replica): void => {
    const { hostname, port, host, isTls } = replica
    const judgeLater = (): NodeJS.Timeout => {
      const dueAt = performance.now() + silentAfterMs
      return later(silentAfterMs, () => {
        if (performance.now() - dueAt > LATE_MS) {
          judging = judgeLater()
          return
        }
        replica.isSilent = true
        log.warn({ upstream: service, host }, 'replica is silent')
        if (set.all.some((other) => !other.isSilent)) onSilent(service, replica)
      })
    }
    let judging = judgeLater()
    const asking = requestBy(isTls)({
      agent: agents.of(isTls),
      timeout: 0,
      host: hostname,
      port,
      path: '/health/live',
      headers: { host },
    })
    asking.on('response', (answer) => {
      answer.on('error', () => {}).resume()
      if (replica.isSilent) log.info({ upstream: service, host }, 'replica answers again')
      replica.isSilent = false
    })
    asking.on('error', () => {})
    // Comes once, whatever came before it.
    asking.on('close', () => {
      clearTimeout(judging)
      later(PAUSE_MS, () => watch(service, set, replica))
    })
    asking.end()
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
