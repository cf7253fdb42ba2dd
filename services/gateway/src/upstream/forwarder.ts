import type { ServiceName } from '@tms/contracts'
import { type Agents, type ClientTls, createAgents, type Logger } from '@tms/service-kit'
import { AnswerCoding } from '../compression/answer-coding.ts'
import type { PendingPoll } from '../identity/check-pending-polls.ts'
import type { GatewayMetrics } from '../kernel/metrics.ts'
import type { Call } from '../requests/call.ts'
import type { ClientAddressing } from '../requests/client-address.rules.ts'
import { PollLinks } from './poll-links.ts'
import { ProxiedRequest } from './proxied-request.ts'
import { type Replica, ReplicaSet } from './replica-set.ts'
import { RequestLinks } from './request-links.ts'
import { watchReplicas } from './watch-replicas.ts'

/**
 * Idle connections kept per replica. As many polls may end at once and come back within a second, and reconnecting
 * costs more than the 8 KB that an idle connection takes for seconds.
 */
const MAX_IDLE_CONNECTIONS = 4_096

/**
 * Checks of a connection within the time that a replica may be unresponsive: if this process was blocked, that counts
 * as one check.
 */
const SILENT_CHECKS = 10

/** A poll or stream that waits for a replica. */
export interface UpstreamPoll extends PendingPoll {
  /** Moves to another replica if it waits for the given one, which has stopped answering. */
  leave(replica: Replica): void
}

/** Shared by all proxied requests. */
export interface ForwarderParts {
  readonly replicas: ReadonlyMap<ServiceName, ReplicaSet>
  readonly agents: Agents
  readonly requestLinks: RequestLinks
  readonly answerCoding: AnswerCoding
  readonly addressing: ClientAddressing
  readonly metrics: GatewayMetrics
  readonly log: Logger
  /** A request that isn't answered by then gets 503; for one in progress, how often its speed is checked. */
  readonly answerTimeoutMs: number
  /** Clients that send a file or read an answer more slowly are disconnected; 0 allows any speed. */
  readonly minBytesPerSecond: number
  readonly tls: ClientTls
  /** Polls that wait for their answer. */
  readonly pendingPolls: Set<UpstreamPoll>
  /** All unfinished requests, polls included, without those of links. */
  readonly open: Set<ProxiedRequest>
  isDraining: boolean
}

/** Forwards requests to the services that own their endpoints. */
export interface Forwarder {
  /** Sends the request to its endpoint's owner and the answer back; the client gets an answer in any case. */
  forward(call: Call): void
  /** Number of connections over which polls are handed over. */
  countPollLinks(): number
  /** Number of connections over which requests are sent. */
  countRequestLinks(): number
  /** Answers pending polls now, and further ones at once, so that shutdown doesn't wait for them. */
  drain(): void
  /** Closes idle connections to services, and stops health checks. */
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
   * A replica that answers no health check for so long is skipped, and its polls move to another. A request without
   * any sign of progress for so long moves to another too, or is refused; services send `102 Processing` every few
   * seconds.
   */
  readonly silentAfterMs: number
  /** Identifies the gateway to services. */
  readonly internalToken: () => string
  readonly pendingPolls: Set<UpstreamPoll>
}

/** Throws if an address is invalid. */
export function createForwarder({ urls, tls, silentAfterMs, ...options }: ForwarderOptions): Forwarder {
  const replicas = new Map<ServiceName, ReplicaSet>()
  for (const [service, list] of Object.entries(urls)) {
    replicas.set(service as ServiceName, new ReplicaSet(list, Date.now))
  }
  const idle = { keepAlive: true, maxFreeSockets: MAX_IDLE_CONNECTIONS, scheduling: 'lifo' } as const
  const agents = createAgents(idle, tls)
  const { internalToken, log } = options
  const requestLinks = new RequestLinks({
    ...{ tls, internalToken, silentAfterMs, log },
    onLeaving: (service, replica) => replicas.get(service)?.setLeaving(replica, true),
  })
  const parts: ForwarderParts = {
    ...{ ...options, tls, replicas, agents, requestLinks, answerCoding: new AnswerCoding() },
    ...{ open: new Set(), isDraining: false },
  }
  const request = (call: Call, first?: Replica) => new ProxiedRequest(parts, call).start(first)
  const events = replicas.get('events')
  const pollLinks =
    events && new PollLinks({ parts, replicas: events, internalToken, silentAfterMs, request })
  const silenceTimer = setInterval(() => {
    for (const request of parts.open) request.endIfSilent(SILENT_CHECKS)
  }, silentAfterMs / SILENT_CHECKS).unref()
  const watch = watchReplicas({
    ...{ replicas, agents, silentAfterMs, log },
    onUnresponsive: (service, replica) => {
      options.metrics.upstreamFailed(service, 'silent')
      for (const request of parts.pendingPolls) request.leave(replica)
    },
  })
  return {
    forward: (call) => {
      if (!pollLinks?.take(call)) request(call)
    },
    countPollLinks: () => pollLinks?.count ?? 0,
    countRequestLinks: () => requestLinks.count,
    drain: () => {
      parts.isDraining = true
      for (const request of parts.pendingPolls) request.endPendingPoll()
    },
    close: () => {
      watch.stop()
      pollLinks?.close()
      requestLinks.close()
      clearInterval(silenceTimer)
      agents.destroy()
    },
  }
}
