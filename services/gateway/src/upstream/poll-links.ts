import { endpoints, pollLink } from '@tms/contracts'
import { openFrames } from '@tms/service-kit'
import type { Call } from '../requests/call.ts'
import { POLL_TIMEOUT_MS } from './empty-poll.rules.ts'
import type { ForwarderParts } from './forwarder.ts'
import { HeldPoll } from './held-poll.ts'
import { pollQueryOf } from './linked-poll.rules.ts'
import { PollLink } from './poll-link.ts'
import type { Replica, ReplicaSet } from './replica-set.ts'

/** A replica that doesn't accept a link by then is skipped. */
const CONNECT_TIMEOUT_MS = 2_000
/** How long a replica that offers no links, as one of another release, isn't asked for one. */
const UNSUPPORTED_MS = 30_000
const SWEEP_MS = 1_000

const POLL_ENDPOINT = endpoints.events.getEvents.name

interface PollLinksOptions {
  readonly parts: ForwarderParts
  /** The replicas of events. */
  readonly replicas: ReplicaSet
  /** Identifies this gateway to them. */
  readonly internalToken: () => string
  readonly silentAfterMs: number
  /** Sends a call as a request. */
  readonly request: (call: Call) => void
}

/**
 * Holds polls here, and hands them over to replicas of events in turn, over links. A poll whose link is lost goes to another
 * replica; what no link takes is sent as a request.
 */
export class PollLinks {
  readonly #options: PollLinksOptions
  readonly #links = new Map<Replica, Set<PollLink>>()
  readonly #unsupportedUntil = new Map<Replica, number>()
  readonly #sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref()

  constructor(options: PollLinksOptions) {
    this.#options = options
  }

  /** Number of links. */
  get count(): number {
    return [...this.#links.values()].reduce((sum, { size }) => sum + size, 0)
  }

  /** Serves the call if it is a poll for a link, and returns whether it is. */
  hold(call: Call): boolean {
    const { parts } = this.#options
    if (call.endpoint?.name !== POLL_ENDPOINT || call.request.method !== 'GET') return false
    // The attempts of a traced request are spans.
    if (call.trace?.span.isRecording()) return false
    const query = pollQueryOf(call.request.url ?? '')
    if (query === null) return false
    const poll = new HeldPoll(this, call, query)
    parts.pendingPolls.add(poll)
    if (parts.isDraining) poll.endPendingPoll()
    else this.place(poll)
    return true
  }

  place(poll: HeldPoll): void {
    const { parts, replicas } = this.#options
    if (parts.isDraining) return poll.endPendingPoll()
    const now = performance.now()
    const mayAttempt = poll.attempts++ < replicas.size
    const replica = mayAttempt
      ? replicas.pickAmong((one) => (this.#unsupportedUntil.get(one) ?? 0) <= now)
      : null
    if (replica === null) this.request(poll)
    else this.#linkTo(replica).add(poll)
  }

  request(poll: HeldPoll): void {
    poll.release()
    this.onOver(poll)
    this.#options.request(poll.call)
  }

  onOver(poll: HeldPoll): void {
    this.#options.parts.pendingPolls.delete(poll)
  }

  /** Ends all links. */
  close(): void {
    clearInterval(this.#sweeping)
    for (const links of this.#links.values()) for (const link of links) link.close()
  }

  #linkTo(replica: Replica): PollLink {
    const links = this.#links.get(replica) ?? new Set()
    this.#links.set(replica, links)
    for (const link of links) if (link.hasRoom) return link
    const { parts, replicas, internalToken, silentAfterMs } = this.#options
    const terms = { token: internalToken(), tls: parts.tls, timeoutMs: CONNECT_TIMEOUT_MS }
    const link = new PollLink(replica, openFrames(replica, pollLink, terms), {
      silentMs: silentAfterMs,
      onEnd: () => void links.delete(link),
      onFailed: (reason, err) => {
        parts.log.warn({ err, upstream: 'events', host: replica.host, reason }, 'poll link failed')
        if (reason === 'unsupported') this.#unsupportedUntil.set(replica, performance.now() + UNSUPPORTED_MS)
        else {
          parts.metrics.upstreamFailed('events', reason)
          replicas.penalize(replica)
        }
      },
    })
    links.add(link)
    return link
  }

  /** Answers polls for which events should have sent a heartbeat long ago, before their clients give up. */
  #sweep(): void {
    const oldest = performance.now() - POLL_TIMEOUT_MS
    for (const links of this.#links.values()) {
      for (const link of links) {
        for (const poll of link.polls) {
          if (poll.call.startedAt > oldest) continue
          this.#options.parts.metrics.upstreamFailed('events', 'timeout')
          this.#options.replicas.penalize(link.replica)
          poll.endPendingPoll()
        }
        link.endIfUnused()
      }
    }
  }
}
