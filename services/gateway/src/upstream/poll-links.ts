import { endpoints, pollLink } from '@tms/contracts'
import type { Call } from '../requests/call.ts'
import { POLL_TIMEOUT_MS } from './empty-poll.rules.ts'
import type { ForwarderParts } from './forwarder.ts'
import { type LinkFailure, LinkOpenings, type LinkTerms } from './link-openings.ts'
import type { LinkedCall, LinkedCallParts } from './linked-call.ts'
import { LinkedPoll } from './linked-poll.ts'
import { LinkedStream } from './linked-stream.ts'
import { PollLink } from './poll-link.ts'
import { type PollQuery, pollQueryOf, streamQueryOf } from './poll-query.rules.ts'
import type { Replica, ReplicaSet } from './replica-set.ts'

const SWEEP_MS = 5_000
/** A poll whose link is lost gets another one, also if all replicas are behind one name. */
const MIN_ATTEMPTS = 2

const POLL = endpoints.events.getEvents.name
const STREAM = endpoints.events.streamEvents.name

interface PollLinksOptions extends Omit<LinkTerms, 'tls'> {
  readonly parts: ForwarderParts
  /** The replicas of events. */
  readonly replicas: ReplicaSet
  /** Sends a call as a request, to this replica first, or to the next one in turn. */
  readonly request: (call: Call, first?: Replica) => void
}

/** The links to one replica, or to all that are behind one name. */
interface ReplicaLinks {
  readonly links: Set<PollLink>
  readonly openings: LinkOpenings
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
    const onPipelined = () => metrics.clientRefused('pipelined')
    this.#linked = { owner: this, limits: { answerTimeoutMs, minBytesPerSecond, onTooSlow, onPipelined } }
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
    const own = this.#byReplica.get(replica) ?? { links: new Set(), openings: new LinkOpenings() }
    this.#byReplica.set(replica, own)
    for (const link of own.links) if (link.hasRoom) return link
    return own.openings.mayOpen ? this.#open(replica, own) : null
  }

  #open(replica: Replica, { links, openings }: ReplicaLinks): PollLink {
    const { parts, silentAfterMs } = this.#options
    const openedAt = performance.now()
    const opening = openings.open(replica, pollLink, { ...this.#options, tls: parts.tls })
    const link = new PollLink(replica, opening, {
      silentMs: silentAfterMs,
      onEnd: () => void links.delete(link),
      onFailed: (reason, err) => {
        openings.noteFailure(reason, openedAt)
        this.#noteFailure(replica, reason, err)
      },
    })
    links.add(link)
    return link
  }

  #noteFailure(replica: Replica, reason: LinkFailure, err: Error): void {
    const { parts, replicas } = this.#options
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
