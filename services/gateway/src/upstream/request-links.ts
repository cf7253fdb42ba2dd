import { requestLink, type ServiceName } from '@tms/contracts'
import type { Logger } from '@tms/service-kit'
import { LinkOpenings, type LinkTerms } from './link-openings.ts'
import type { Replica } from './replica-set.ts'
import { RequestLink } from './request-link.ts'

/**
 * Links to one replica, or to all behind one name, where a balancer spreads them: fewer load replicas unevenly, more make more writes of
 * the same requests.
 */
const MAX_LINKS = 4
/** With so many requests in progress on each of its links, a replica gets another one. */
const BUSY_REQUESTS = 8
const SWEEP_MS = 5_000

interface RequestLinksOptions extends LinkTerms {
  /** Called when a replica has said that it is about to stop. */
  readonly onLeaving: (service: ServiceName, replica: Replica) => void
  readonly log: Logger
}

interface ReplicaLinks {
  readonly openings: LinkOpenings
  readonly links: Set<RequestLink>
}

/** The links over which requests go to replicas. Nothing waits for one: while there is none, requests go by HTTP. */
export class RequestLinks {
  readonly #options: RequestLinksOptions
  readonly #byReplica = new Map<Replica, ReplicaLinks>()
  readonly #sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref()

  constructor(options: RequestLinksOptions) {
    this.#options = options
  }

  /** Number of links. */
  get count(): number {
    return [...this.#byReplica.values()].reduce((sum, { links }) => sum + links.size, 0)
  }

  /**
   * The link for the next request to a replica; null if it has to go by HTTP. All requests of one turn of the event loop get the same
   * link, if it has room.
   */
  linkTo(service: ServiceName, replica: Replica): RequestLink | null {
    const own = this.#byReplica.get(replica) ?? { openings: new LinkOpenings(), links: new Set() }
    this.#byReplica.set(replica, own)
    let best: RequestLink | null = null
    let isOpening = false
    for (const link of own.links) {
      isOpening ||= link.isOpening
      if (!link.hasRoom) continue
      if (link.isGathering) return link
      if (best === null || link.inProgress < best.inProgress) best = link
    }
    const isBusy = best === null || best.inProgress >= BUSY_REQUESTS
    if (isBusy && !isOpening && own.links.size < MAX_LINKS && own.openings.mayOpen)
      this.#open(service, replica, own)
    return best
  }

  /** Ends all links. */
  close(): void {
    clearInterval(this.#sweeping)
    for (const { links } of this.#byReplica.values()) for (const link of links) link.close()
  }

  #open(upstream: ServiceName, replica: Replica, { openings, links }: ReplicaLinks): void {
    const { log, silentAfterMs, onLeaving } = this.#options
    const openedAt = performance.now()
    const link = new RequestLink(replica, openings.open(replica, requestLink, this.#options), {
      silentMs: silentAfterMs,
      onLeaving: () => onLeaving(upstream, replica),
      onEnd: () => void links.delete(link),
      onFailed: (reason, err) => {
        openings.noteFailure(reason, openedAt)
        log.warn({ err, upstream, host: replica.host, reason }, 'request link failed')
      },
    })
    links.add(link)
  }

  #sweep(): void {
    for (const { links } of this.#byReplica.values()) for (const link of links) link.endIfUnused()
  }
}
