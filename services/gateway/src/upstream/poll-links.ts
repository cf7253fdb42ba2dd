import { endpoints, pollLink } from '@tms/contracts'
import { openFrames } from '@tms/service-kit'
import type { Call } from '../requests/call.ts'
import { CONNECT_TIMEOUT_MS } from './attempt.ts'
import { POLL_TIMEOUT_MS } from './empty-poll.rules.ts'
import type { ForwarderParts } from './forwarder.ts'
import type { LinkedCall, LinkedCallParts } from './linked-call.ts'
import { LinkedPoll } from './linked-poll.ts'
import { LinkedStream } from './linked-stream.ts'
import { type LinkFailure, PollLink } from './poll-link.ts'
import { type PollQuery, pollQueryOf, streamQueryOf } from './poll-query.rules.ts'
import type { Replica, ReplicaSet } from './replica-set.ts'

/** No link is opened to a replica for so long after one failed; twice as long after each further failure, up to the longest. */
const PAUSE_MS = { first: 1_000, unsupported: 30_000, longest: 300_000 }
/** A link that lasted for so long has worked. */
const STEADY_MS = 60_000
const SWEEP_MS = 5_000
/** A poll whose link is lost gets another one, also if all replicas are behind one name. */
const MIN_ATTEMPTS = 2

const POLL = endpoints.events.getEvents.name
const STREAM = endpoints.events.streamEvents.name

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
 * Hands over polls and streams to replicas of events in turn, over links. A poll whose link is lost goes to another replica, while a stream
 * that has begun ends, after which its client connects again. What can't go over a link is sent as a request.
 */
export class PollLinks {
  readonly #options: PollLinksOptions
  readonly #linked: LinkedCallParts
  readonly #byReplica = new Map<Replica, ReplicaLinks>()
  readonly #sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref()

  constructor(options: PollLinksOptions) {
    this.#options = options
    const { answerTimeoutMs, minBytesPerSecond, metrics } = options.parts
    const onTooSlow = () => metrics.clientRefused('slow_reader')
    this.#linked = { owner: this, limits: { answerTimeoutMs, minBytesPerSecond, onTooSlow } }
  }

  /** Number of links. */
  get count(): number {
    return [...this.#byReplica.values()].reduce((sum, { links }) => sum + links.size, 0)
  }

  /** Serves the call if it is a poll or a stream for a link, and returns whether it is. */
  take(call: Call): boolean {
    const { parts } = this.#options
    // The attempts of a traced request are spans.
    if (call.request.method !== 'GET' || call.trace?.span.isRecording()) return false
    const linked = this.#linkedOf(call)
    if (linked === null) return false
    parts.pendingPolls.add(linked)
    this.assign(linked)
    return true
  }

  assign(call: LinkedCall): void {
    const { parts, replicas } = this.#options
    if (parts.isDraining) return call.endPendingPoll()
    if (!this.mayReassign(call)) return this.request(call)
    call.attempts++
    const replica = replicas.pick()
    const link = this.#linkTo(replica)
    if (link) link.add(call)
    else this.request(call, replica)
  }

  mayReassign({ attempts }: LinkedCall): boolean {
    return attempts < Math.max(MIN_ATTEMPTS, this.#options.replicas.size)
  }

  request(call: LinkedCall, first?: Replica): void {
    call.detach()
    this.#options.request(call.call, first)
  }

  onOver(call: LinkedCall): void {
    this.#options.parts.pendingPolls.delete(call)
  }

  /** Ends all links. */
  close(): void {
    clearInterval(this.#sweeping)
    for (const { links } of this.#byReplica.values()) for (const link of links) link.close()
  }

  #linkedOf(call: Call): LinkedCall | null {
    const { url = '', headers, httpVersion } = call.request
    let query: PollQuery | null
    switch (call.endpoint?.name) {
      case POLL:
        query = pollQueryOf(url)
        return query && new LinkedPoll(this.#linked, call, query)
      case STREAM:
        // Others know no chunks.
        if (httpVersion !== '1.1') return null
        query = streamQueryOf(url, headers['last-event-id']?.toString())
        return query && new LinkedStream(this.#linked, call, query)
      default:
        return null
    }
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

  /** Answers polls for which events should have sent a heartbeat long ago, before their clients give up; keeps streams alive. */
  #sweep(): void {
    const now = performance.now()
    for (const [replica, { links }] of this.#byReplica) {
      for (const link of links) {
        for (const call of link.calls) {
          if (call instanceof LinkedStream && call.isOpen) call.keep(now)
          else if (call.call.startedAt < now - POLL_TIMEOUT_MS) this.#timeOut(call, replica)
        }
        link.endIfUnused()
      }
    }
  }

  #timeOut(poll: LinkedCall, replica: Replica): void {
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
