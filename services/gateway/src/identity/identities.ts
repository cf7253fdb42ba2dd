import { isDeepStrictEqual } from 'node:util'
import { AppError, type TokenScope } from '@tms/contracts'
import { type CacheLease, type Caller, userTokenReuseMs } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import type { GatewayMetrics } from '../kernel/metrics.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import type { IdentityRequest } from '../requests/identity-request.ts'
import type { Credentials } from './credentials.rules.ts'
import type { ChangedIdentities } from './follow-users.ts'
import { credentialsOf, IdentityKeys } from './identity-keys.ts'

/**
 * How long an entry is used. While the lease is valid every changed entry is dropped, so this matters only for
 * changes that nobody announces. At 60 s a fifth of the cost of 20,000 idle clients was identifying them again.
 */
const FRESH_MS = 600_000
/** Entries made together must not expire together. */
const FRESH_SPREAD = 0.25
/** Slows down guessing, yet a client that has just got its key isn't refused for long. */
const REFUSED_MS = 1_000
/** About 0.8 KB each. */
const MAX_KNOWN = 50_000
/** Changes are remembered for as long as an answer may be on its way. */
const MAX_CHANGED = 10_000
const CHANGED_MS = 60_000
const MAX_REFUSED = 10_000

/** A caller as users has identified it. */
export interface IdentifiedCaller {
  readonly caller: Caller
  /** For bots that may do nothing else. */
  readonly mayOnlySendMessages: boolean
  /** Null for an API key, which is limited by nothing. */
  readonly apiToken: {
    readonly scopes: readonly TokenScope[]
    /** Until when it is valid, by `now`; null if it never expires. */
    readonly expiresAt: number | null
  } | null
}

/** An identified caller, with the token that authenticates it to services. */
export interface Identity extends IdentifiedCaller {
  readonly token: string
}

/** Identifies the callers of requests. */
export interface Identities {
  /**
   * Throws UNAUTHORIZED or BAD_REQUEST for a header that can't be read. Rejects with UNAUTHORIZED, RATE_LIMIT_HIT, or
   * SERVICE_UNAVAILABLE if users is unavailable.
   */
  find(request: IdentityRequest): Identity | Promise<Identity>
  /** Drops changed identities, of single users and of everyone in an organization; lookups in progress are repeated. */
  forget(changed: ChangedIdentities): void
  /** Drops everyone. */
  forgetAll(): void
}

interface IdentitiesOptions {
  /** Host whose subdomains are organizations. */
  readonly externalHost: string
  /** Calls the users service. Rejects with its error, or SERVICE_UNAVAILABLE. */
  readonly identify: (
    credentials: Credentials & { host: string },
    requestId: string,
  ) => Promise<IdentifiedCaller>
  readonly signToken: (caller: Caller) => string
  /** Slows down guessing, by the client's address. */
  readonly limits: Pick<RateLimits, 'refuseGuessing' | 'countFailure'>
  /** While it is valid, `forget` has been called for every change. */
  readonly lease: Pick<CacheLease, 'isValid' | 'validate'>
  readonly metrics: Pick<GatewayMetrics, 'identityLookedUp'>
  readonly now: () => number
}

interface CachedIdentity extends Identity {
  /** Users isn't called again before this time. */
  readonly freshUntil: number
  readonly signedAt: number
}

/**
 * Identifies callers by their credentials, from memory if possible.
 * Cached entries count while the lease is valid, or was validated before the request (decision 37).
 */
export function createIdentities(options: IdentitiesOptions): Identities {
  const { externalHost, identify, signToken, limits, lease, metrics, now } = options
  const identityKeys = new IdentityKeys(externalHost)
  const keysOfUser = new Map<number, Set<string>>()
  const cached = new LRUCache<string, CachedIdentity>({
    max: MAX_KNOWN,
    dispose: ({ caller }, key) => {
      const keys = keysOfUser.get(caller.userId)
      if (keys?.delete(key) && keys.size === 0) keysOfUser.delete(caller.userId)
    },
  })
  /** When users and organizations last changed. */
  const userChangedAt = new LRUCache<number, number>({ max: MAX_CHANGED, ttl: CHANGED_MS })
  const realmChangedAt = new LRUCache<number, number>({ max: MAX_CHANGED, ttl: CHANGED_MS })
  let allChangedAt = Number.NEGATIVE_INFINITY
  let anyChangedAt = Number.NEGATIVE_INFINITY
  const hasChangedSince = (at: number, { userId, realmId }: Caller): boolean =>
    allChangedAt > at ||
    (userChangedAt.get(userId) ?? Number.NEGATIVE_INFINITY) > at ||
    (realmChangedAt.get(realmId) ?? Number.NEGATIVE_INFINITY) > at
  const refused = new LRUCache<string, { error: AppError; until: number }>({ max: MAX_REFUSED })
  const lookups = new Map<string, Promise<CachedIdentity>>()

  const store = (key: string, entry: CachedIdentity): CachedIdentity => {
    cached.set(key, entry)
    const { userId } = entry.caller
    const keys = keysOfUser.get(userId)
    if (keys) keys.add(key)
    else keysOfUser.set(userId, new Set([key]))
    return entry
  }

  const remember = (
    key: string,
    found: IdentifiedCaller,
    previous: CachedIdentity | undefined,
  ): CachedIdentity => {
    const at = now()
    const hasToken =
      previous && at - previous.signedAt < userTokenReuseMs && isSame(previous.caller, found.caller)
    const signed = hasToken
      ? { token: previous.token, signedAt: previous.signedAt }
      : { token: signToken(found.caller), signedAt: at }
    const freshUntil = at + FRESH_MS * (1 - FRESH_SPREAD * Math.random())
    return store(key, {
      ...found,
      freshUntil: Math.min(freshUntil, expiryOf(found)),
      ...signed,
    })
  }

  const lookUp = async (
    key: string,
    request: IdentityRequest,
    previous: CachedIdentity | undefined,
  ): Promise<CachedIdentity> => {
    const credentials = credentialsOf(request)
    // A caller that was known a moment ago isn't guessing, and may share an address with somebody who does.
    if (!previous) await limits.refuseGuessing(request.clientIp)
    const requestedAt = now()
    try {
      const found = await identify({ ...credentials, host: request.host }, request.requestId)
      // The answer may be older than the change.
      if (hasChangedSince(requestedAt, found.caller)) return lookUp(key, request, cached.get(key))
      metrics.identityLookedUp('miss')
      return remember(key, found, previous)
    } catch (err) {
      if (!(err instanceof AppError)) throw err
      if (err.code === 'SERVICE_UNAVAILABLE') return findStale(key, err)
      // It is unknown whose credentials were refused.
      if (anyChangedAt > requestedAt) return lookUp(key, request, cached.get(key))
      metrics.identityLookedUp('refused')
      const error = asUnauthorized(err)
      cached.delete(key)
      refused.set(key, { error, until: now() + REFUSED_MS })
      await limits.countFailure(request.clientIp)
      throw error
    }
  }

  /**
   * While users is unavailable, cached identities stay valid for as long as the lease says that nothing changed.
   * Throws `err` for others.
   */
  const findStale = (key: string, err: AppError): CachedIdentity => {
    const entry = cached.get(key)
    if (!entry || !lease.isValid() || expiryOf(entry) <= now()) throw err
    metrics.identityLookedUp('stale')
    return withLiveToken(key, entry)
  }

  /** While users is unavailable, a token expires before its entry does. */
  const withLiveToken = (key: string, entry: CachedIdentity): CachedIdentity => {
    if (now() - entry.signedAt < userTokenReuseMs) return entry
    return store(key, { ...entry, token: signToken(entry.caller), signedAt: now() })
  }

  /** Calls users once for all concurrent requests with the same credentials. */
  const lookUpOnce = (key: string, request: IdentityRequest): Promise<CachedIdentity> => {
    let answer = lookups.get(key)
    if (!answer) {
      answer = lookUp(key, request, cached.get(key)).finally(() => lookups.delete(key))
      lookups.set(key, answer)
    }
    return answer
  }

  /** The cached identity, after all changes up to the request are known. */
  const validateThenFind = async (key: string, request: IdentityRequest): Promise<CachedIdentity> => {
    await lease.validate()
    const entry = cached.get(key)
    return entry && now() < entry.freshUntil ? useCached(key, entry) : lookUpOnce(key, request)
  }

  const useCached = (key: string, entry: CachedIdentity): CachedIdentity => {
    metrics.identityLookedUp('hit')
    return withLiveToken(key, entry)
  }

  return {
    find: (request) => {
      const key = identityKeys.of(request)
      const entry = cached.get(key)
      if (!lease.isValid()) return validateThenFind(key, request)
      if (entry && now() < entry.freshUntil) return useCached(key, entry)
      const refusal = refused.get(key)
      if (refusal && now() < refusal.until) return Promise.reject(refusal.error)
      return lookUpOnce(key, request)
    },
    forget: ({ userIds, realmIds }) => {
      const at = now()
      anyChangedAt = at
      // It is unknown whose credentials these are, and a user may be active again.
      refused.clear()
      for (const userId of userIds) {
        userChangedAt.set(userId, at)
        for (const key of [...(keysOfUser.get(userId) ?? [])]) cached.delete(key)
      }
      if (realmIds.length === 0) return
      for (const realmId of realmIds) realmChangedAt.set(realmId, at)
      // So rare that a scan over all entries costs less than an index by organization.
      const ofThese = new Set(realmIds)
      for (const [key, { caller }] of [...cached.entries()])
        if (ofThese.has(caller.realmId)) cached.delete(key)
    },
    forgetAll: () => {
      allChangedAt = now()
      anyChangedAt = allChangedAt
      refused.clear()
      cached.clear()
    },
  }
}

/** Every problem with credentials has one code; the message says which (API document, "Authentication"). */
function asUnauthorized(err: AppError): AppError {
  return err.status >= 500 ? err : new AppError('UNAUTHORIZED', { message: err.message, cause: err })
}

function isSame(a: Caller, b: Caller): boolean {
  return (
    a.userId === b.userId &&
    a.realmId === b.realmId &&
    a.role === b.role &&
    a.isBot === b.isBot &&
    a.tokenId === b.tokenId &&
    a.keyId === b.keyId &&
    isDeepStrictEqual(a.channelIds, b.channelIds)
  )
}

/** When the credentials of a caller expire, by the clock of the options. */
function expiryOf({ apiToken }: IdentifiedCaller): number {
  return apiToken?.expiresAt ?? Number.POSITIVE_INFINITY
}
