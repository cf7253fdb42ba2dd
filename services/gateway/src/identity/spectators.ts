import { AppError, internal } from '@tms/contracts'
import { type InternalClient, type Spectator, userTokenReuseMs } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'

/** Organizations whose signed tokens are cached. */
const MAX_TOKENS = 1_000

/** Authenticates requests without credentials, at the endpoints that accept them. */
export interface Spectators {
  /**
   * A token for the organization at this host. Rejects with UNAUTHORIZED if there is none or it doesn't allow
   * spectators, and SERVICE_UNAVAILABLE if realm does not answer.
   */
  admit(host: string, requestId: string): Promise<string>
}

interface SpectatorsOptions {
  /** The organization at a host; null if there is none or it does not allow spectators. */
  readonly findRealm: (host: string, requestId: string) => Promise<number | null>
  readonly signToken: (spectator: Spectator) => string
}

/** Caches signed tokens only, and queries realm for each request: when an owner ends spectator access, the next request is refused. */
export function createSpectators({ findRealm, signToken }: SpectatorsOptions): Spectators {
  const tokens = new LRUCache<number, string>({ max: MAX_TOKENS, ttl: userTokenReuseMs })
  return {
    admit: async (host, requestId) => {
      const realmId = await findRealm(host, requestId)
      if (realmId === null) throw new AppError('UNAUTHORIZED')
      const known = tokens.get(realmId)
      if (known !== undefined) return known
      const token = signToken({ userId: null, realmId })
      tokens.set(realmId, token)
      return token
    },
  }
}

/** Calls realm. A realm service that doesn't know this call admits no spectators. */
export function findSpectatorRealm(call: InternalClient): SpectatorsOptions['findRealm'] {
  return async (host, requestId) => {
    try {
      return (await call(internal.realm.findSpectatorRealm, { host }, { requestId })).realm_id
    } catch (err) {
      if (err instanceof AppError && err.code === 'NOT_FOUND') return null
      throw err
    }
  }
}
