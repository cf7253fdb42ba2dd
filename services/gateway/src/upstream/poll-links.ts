import { endpoints, pollLink } from '@tms/contracts'
import { openFrames } from '@tms/service-kit'
import type { Call } from '../requests/call.ts'
import { CONNECT_TIMEOUT_MS } from './attempt.ts'
import { POLL_TIMEOUT_MS } from './empty-poll.rules.ts'
import type { ForwarderParts } from './forwarder.ts'
import { LinkedPoll, type ReadingLimits } from './linked-poll.ts'
import { type LinkFailure, PollLink } from './poll-link.ts'
import { pollQueryOf } from './poll-query.rules.ts'
import type { Replica, ReplicaSet } from './replica-set.ts'

/** No link is opened to a replica for so long after one failed; twice as long after each further failure, up to the longest. */
const PAUSE_MS = { first: 1_000, unsupported: 30_000, longest: 300_000 }
/** A link that lasted for so long has worked. */
const STEADY_MS = 60_000
const SWEEP_MS = 5_000
/** A poll whose link is lost gets another one, also if all replicas are behind one name. */
const MIN_ATTEMPTS = 2

const POLL_ENDPOINT = endpoints.events.getEvents.name

interface PollLinksOptions {
  readonly parts: ForwarderParts
  /** The replicas of events. */
  readonly replicas: ReplicaSet
  /** Identifies this gateway to them. */
  readonly internalToken: () => string
  readonly silentAfterMs: number
  /** Sends a call as a request, to this replica first, or to the next one in turn. */
  readonly request: (call: Call, first?: Replica) => void
}

/** The links to one replica, or to all that are behind one name. */
interface ReplicaLinks {
  readonly links: Set<PollLink>
  failures: number
  /** No link is opened before. */
  pausedUntil: number
}

/**
 * Hands over polls to replicas of events in turn, over links. A poll whose link is lost goes to another replica; what can't go over a
 * link is sent as a request.
 */
export class PollLinks {
  readonly #options: PollLinksOptions
  readonly #limits: ReadingLimits
  readonly #byReplica = new Map<Replica, ReplicaLinks>()
  readonly #sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref()

  constructor(options: PollLinksOptions) {
    this.#options = options
    const { answerTimeoutMs, minBytesPerSecond, metrics } = options.parts
    this.#limits = {
      answerTimeoutMs,
      minBytesPerSecond,
      onTooSlow: () => metrics.clientRefused('slow_reader'),
    }
  }

  /** Number of links. */
  get count(): number {
    return [...this.#byReplica.values()].reduce((sum, { links }) => sum + links.size, 0)
  }

  /** Serves the call if it is a poll for a link, and returns whether it is. */
  take(call: Call): boolean {
    const { parts } = this.#options
    if (call.endpoint?.name !== POLL_ENDPOINT || call.request.method !== 'GET') return false
    // The attempts of a traced request are spans.
    if (call.trace?.span.isRecording()) return false
    const query = pollQueryOf(call.request.url ?? '')
    if (query === null) return false
    const poll = new LinkedPoll(this, this.#limits, call, query)
    parts.pendingPolls.add(poll)
    this.assign(poll)
    return true
  }

  assign(poll: LinkedPoll): void {
    const { parts, replicas } = this.#options
    if (parts.isDraining) return poll.endPendingPoll()
    if (!this.mayReassign(poll)) return this.request(poll)
    poll.attempts++
    const replica = replicas.pick()
    const link = this.#linkTo(replica)
    if (link) link.add(poll)
    else this.request(poll, replica)
  }

  mayReassign({ attempts }: LinkedPoll): boolean {
    return attempts < Math.max(MIN_ATTEMPTS, this.#options.replicas.size)
  }

  request(poll: LinkedPoll, first?: Replica): void {
    poll.detach()
    this.#options.request(poll.call, first)
  }

  onOver(poll: LinkedPoll): void {
    this.#options.parts.pendingPolls.delete(poll)
  }

  /** Ends all links. */
  close(): void {
    clearInterval(this.#sweeping)
    for (const { links } of this.#byReplica.values()) for (const link of links) link.close()
  }

  /** A link with room, perhaps a new one; null while none is opened to this replica. */
  #linkTo(replica: Replica): PollLink | null {
    const own = this.#byReplica.get(replica) ?? { links: new Set(), failures: 0, pausedUntil: 0 }
    this.#byReplica.set(replica, own)
    for (const link of own.links) if (link.hasRoom) return link
    return performance.now() < own.pausedUntil ? null : this.#open(replica, own)
  }

  #open(replica: Replica, own: ReplicaLinks): PollLink {
    const { parts, internalToken, silentAfterMs } = this.#options
    const openedAt = performance.now()
    const link = new PollLink(
      replica,
      openFrames(replica, pollLink, {
        token: internalToken(),
        tls: parts.tls,
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
        answerTimeoutMs: silentAfterMs,
      }),
      {
        silentMs: silentAfterMs,
        onEnd: () => void own.links.delete(link),
        onFailed: (reason, err) => {
          if (performance.now() - openedAt > STEADY_MS) own.failures = 0
          this.#noteFailure(replica, own, reason, err)
        },
      },
    )
    own.links.add(link)
    return link
  }

  #noteFailure(replica: Replica, own: ReplicaLinks, reason: LinkFailure, err: Error): void {
    const { parts, replicas } = this.#options
    const first = reason === 'unsupported' ? PAUSE_MS.unsupported : PAUSE_MS.first
    own.pausedUntil = performance.now() + Math.min(first * 2 ** own.failures++, PAUSE_MS.longest)
    parts.log.warn({ err, upstream: 'events', host: replica.host, reason }, 'poll link failed')
    // It serves requests all the same.
    if (reason === 'unsupported') return
    parts.metrics.upstreamFailed('events', reason)
    replicas.penalize(replica)
  }

  /** Answers polls for which events should have sent a heartbeat long ago, before their clients give up. */
  #sweep(): void {
    const oldest = performance.now() - POLL_TIMEOUT_MS
    for (const [replica, { links }] of this.#byReplica) {
      for (const link of links) {
        for (const poll of link.polls) if (poll.call.startedAt < oldest) this.#timeOut(poll, replica)
        link.endIfUnused()
      }
    }
  }

  #timeOut(poll: LinkedPoll, replica: Replica): void {
    const { parts, replicas } = this.#options
    // One that was handed over again got a new heartbeat, and its replica did nothing wrong.
    if (poll.attempts === 1) {
      parts.metrics.upstreamFailed('events', 'timeout')
      const { requestId } = poll.call
      parts.log.warn(
        { requestId, upstream: 'events', host: replica.host, reason: 'timeout' },
        'replica failed',
      )
      replicas.penalize(replica)
    }
    poll.endPendingPoll()
  }
}
