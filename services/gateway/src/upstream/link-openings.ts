import type { requestLink } from '@tms/contracts'
import { type ClientTls, openFrames, SilentPeerError, UpgradeRefusedError } from '@tms/service-kit'
import type { UpstreamFailure } from '../kernel/metrics.ts'
import { CONNECT_TIMEOUT_MS } from './attempt.ts'
import type { Replica } from './replica-set.ts'

/** No link is opened to a replica for so long after one failed; twice as long after each further failure, up to the longest. */
const PAUSE_MS = { first: 1_000, unsupported: 30_000, longest: 300_000 }
/** A link that lasted for so long has worked. */
const STEADY_MS = 60_000
/** Answers of a replica that knows no such links, or not this protocol. */
const UNSUPPORTED_STATUSES = [404, 426]
/** Behind one name with several replicas, a link stays with one: if links get too old, new replicas stay without work. */
const MAX_AGE_MS = 300_000
/** Links that were opened together must not be renewed together. */
const AGE_SPREAD = 0.25

export type LinkFailure = UpstreamFailure | 'unsupported'

/** When a link is too old for further calls. */
export const renewalOfLink = (): number => performance.now() + MAX_AGE_MS * (1 - AGE_SPREAD * Math.random())

/** Why a link ended, or could not be opened. */
export function linkFailureOf(err: Error | null, wasOpen: boolean): LinkFailure {
  if (err instanceof UpgradeRefusedError) {
    if (UNSUPPORTED_STATUSES.includes(err.status)) return 'unsupported'
    return err.status >= 500 ? 'unavailable' : 'refused'
  }
  if (err instanceof SilentPeerError) return 'silent'
  return wasOpen ? 'lost' : 'refused'
}

/** What opening links takes. */
export interface LinkTerms {
  readonly tls: ClientTls
  /** Identifies this gateway to services. */
  readonly internalToken: () => string
  readonly silentAfterMs: number
}

/** Opens links of one kind to one replica, or to all that are behind one name; not for a while after a failure. */
export class LinkOpenings {
  #failures = 0
  #pausedUntil = 0

  get mayOpen(): boolean {
    return performance.now() >= this.#pausedUntil
  }

  open(
    replica: Replica,
    kind: Readonly<Record<keyof typeof requestLink, string>>,
    { tls, internalToken, silentAfterMs }: LinkTerms,
  ): ReturnType<typeof openFrames> {
    return openFrames(replica, kind, {
      ...{ token: internalToken(), tls },
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      answerTimeoutMs: silentAfterMs,
    })
  }

  /** A link that was opened at this time has failed, or could not be opened. */
  noteFailure(reason: LinkFailure, openedAt: number): void {
    if (performance.now() - openedAt > STEADY_MS) this.#failures = 0
    const first = reason === 'unsupported' ? PAUSE_MS.unsupported : PAUSE_MS.first
    this.#pausedUntil = performance.now() + Math.min(first * 2 ** this.#failures++, PAUSE_MS.longest)
  }
}
