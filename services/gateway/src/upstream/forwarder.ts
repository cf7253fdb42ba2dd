import type { ServiceName } from '@tms/contracts'
import { type Agents, type ClientTls, createAgents, type Logger } from '@tms/service-kit'
import type { GatewayMetrics } from '../metrics.ts'
import type { Call } from '../requests/call.ts'
import type { ClientAddressing } from '../requests/client-address.rules.ts'
import { ProxiedRequest } from './exchange.ts'
import { ReplicaSet } from './replica-set.ts'
import { watchReplicas } from './watch-replicas.ts'

/**
 * Idle connections kept to each replica. As many polls may end at once and come back within a second, and
 * connecting anew costs more than the 8 KB that an idle connection takes for seconds.
 */
const MAX_IDLE_CONNECTIONS = 4_096

/** Looks at a connection within the time that a replica may be silent: a loop that was busy here counts as one of them. */
const SILENT_LOOKS = 10

/** What every exchange uses. */
export interface ForwarderParts {
  readonly replicas: ReadonlyMap<ServiceName, ReplicaSet>
  readonly agents: Agents
  readonly addressing: ClientAddressing
  readonly metrics: GatewayMetrics
  readonly log: Logger
  /** A request that isn't answered by then gets 503; of one that is moving, how often it is looked how much. */
  readonly answerTimeoutMs: number
  /** Clients who are slower, at sending a file or taking an answer, are cut off; 0 takes any that does anything. */
  readonly minBytesPerSecond: number
  /** Polls that wait for their answer. */
  readonly pendingPolls: Set<ProxiedRequest>
  /** All that aren't over, polls too. */
  readonly open: Set<ProxiedRequest>
  isDraining: boolean
}

/** Brings requests to the services that own their endpoints. */
export interface Forwarder {
  /** Sends the request to its endpoint's owner and the answer back; whatever happens, the client is answered. */
  forward(call: Call): void
  /** Answers held polls now, and further ones at once, so that nothing is waited for at the end. */
  drain(): void
  /** Ends idle connections to services, and asks none any more whether it lives. */
  close(): void
}

interface ForwarderOptions {
  readonly urls: Readonly<Partial<Record<ServiceName, readonly string[]>>>
  readonly tls: ClientTls
  readonly addressing: ClientAddressing
  readonly metrics: GatewayMetrics
  readonly log: Logger
  readonly answerTimeoutMs: number
  readonly minBytesPerSecond: number
  /**
   * A replica that answers nothing for so long is passed over, and its polls go to another; a request of which nothing is heard
   * for so long, as services say every few seconds that they work at it, goes to another too, or is refused.
   */
  readonly silentAfterMs: number
  readonly pendingPolls: Set<ProxiedRequest>
}

/** Throws when an address can't be used. */
export function createForwarder({ urls, tls, silentAfterMs, ...options }: ForwarderOptions): Forwarder {
  const replicas = new Map<ServiceName, ReplicaSet>()
  for (const [service, list] of Object.entries(urls)) {
    replicas.set(service as ServiceName, new ReplicaSet(list, Date.now))
  }
  const idle = { keepAlive: true, maxFreeSockets: MAX_IDLE_CONNECTIONS, scheduling: 'lifo' } as const
  const agents = createAgents(idle, tls)
  const parts: ForwarderParts = { ...options, replicas, agents, open: new Set(), isDraining: false }
  const looking = setInterval(() => {
    for (const exchange of parts.open) exchange.endIfSilent(SILENT_LOOKS)
  }, silentAfterMs / SILENT_LOOKS).unref()
  const watch = watchReplicas({
    ...{ replicas, agents, silentAfterMs, log: options.log },
    onSilent: (service, replica) => {
      options.metrics.upstreamFailed(service, 'silent')
      for (const exchange of parts.pendingPolls) exchange.leave(replica)
    },
  })
  return {
    forward: (call) => new ProxiedRequest(parts, call).start(),
    drain: () => {
      parts.isDraining = true
      for (const exchange of parts.pendingPolls) exchange.endPendingPoll()
    },
    close: () => {
      watch.stop()
      clearInterval(looking)
      agents.destroy()
    },
  }
}
