import { hash } from 'node:crypto'
import { AppError } from '@tms/contracts'
import { type CacheLease, type Caller, subdomainOf, userTokenReuseMs } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import type { RateLimits } from '../limits/rate-limits.ts'
import type { GatewayMetrics } from '../metrics.ts'
import { type BasicCredentials, parseBasicCredentials } from './basic-credentials.rules.ts'
import type { Changed } from './follow-users.ts'

/**
 * While the lease is valid everything is dropped that changes, so only what nobody announces waits for this. At 60 s a fifth of what
 * 20,000 idle clients cost was asking who they are.
 */
const FRESH_MS = 600_000
/** What was looked up together must not run out together. */
const FRESH_SPREAD = 0.25
/** Blunts guessing, yet a client that has just got its key isn't refused for long. */
const REFUSED_MS = 1_000
/** About 0.8 KB each. */
const MAX_KNOWN = 50_000
/** Whose changes are remembered for as long as an answer may be under way. */
const MAX_CHANGED = 10_000
const CHANGED_MS = 60_000
const MAX_REFUSED = 10_000

/** What users says of a caller. */
export interface IdentifiedCaller {
  readonly caller: Caller
  /** Of a bot that may do nothing else. */
  readonly mayOnlySendMessages: boolean
}

/** A caller whom users has identified, with the token that tells services so. */
export interface Identity extends IdentifiedCaller {
  readonly token: string
}

/** Who sends a request. */
export interface Identities {
  /**
   * Throws UNAUTHORIZED or BAD_REQUEST for a header that can't be read. Rejects with UNAUTHORIZED, RATE_LIMIT_HIT, or
   * SERVICE_UNAVAILABLE when users is away.
   */
  find(request: IdentityRequest): Identity | Promise<Identity>
  /**
   * Drops those of whom something else is true now, single users and everyone of an organization; whoever is being asked about is
   * asked about again.
   */
  forget(changed: Changed): void
  /** Drops everyone. */
  forgetAll(): void
}

export interface IdentityRequest {
  readonly authorization: string | undefined
  readonly host: string
  readonly clientIp: string
  readonly requestId: string
}

interface Asked extends IdentityRequest {
  readonly credentials: BasicCredentials
}

interface IdentitiesOptions {
  /** Whose subdomains are organizations. */
  readonly externalHost: string
  /** Asks the users service. Rejects with its refusal, or SERVICE_UNAVAILABLE. */
  readonly identify: (
    credentials: BasicCredentials & { host: string },
    requestId: string,
  ) => Promise<IdentifiedCaller>
  readonly signToken: (caller: Caller) => string
  /** Slows down guessing, by the client's address. */
  readonly limits: Pick<RateLimits, 'refuseGuessing' | 'countFailure'>
  /** While it is valid, `forget` has been called for all that changed. */
  readonly lease: Pick<CacheLease, 'isValid' | 'validate'>
  readonly metrics: Pick<GatewayMetrics, 'identityLookedUp'>
  readonly now: () => number
}

interface Known extends Identity {
  /** Until then users isn't asked again. */
  readonly freshUntil: number
  readonly signedAt: number
}

/**
 * Recognises credentials, from memory where it can: their hash is kept, never the key. What is in memory counts while the lease is
 * valid, or was made as good before the request (decision 37).
 */
export function createIdentities(options: IdentitiesOptions): Identities {
  const { externalHost, identify, signToken, limits, lease, metrics, now } = options
  const keysOfUser = new Map<number, Set<string>>()
  const known = new LRUCache<string, Known>({
    max: MAX_KNOWN,
    dispose: ({ caller }, key) => {
      const keys = keysOfUser.get(caller.userId)
      if (keys?.delete(key) && keys.size === 0) keysOfUser.delete(caller.userId)
    },
  })
  /** When users and organizations changed, of late. */
  const userChangedAt = new LRUCache<number, number>({ max: MAX_CHANGED, ttl: CHANGED_MS })
  const realmChangedAt = new LRUCache<number, number>({ max: MAX_CHANGED, ttl: CHANGED_MS })
  let allChangedAt = Number.NEGATIVE_INFINITY
  let anyChangedAt = Number.NEGATIVE_INFINITY
  const hasChangedSince = (at: number, { userId, realmId }: Caller): boolean =>
    allChangedAt > at ||
    (userChangedAt.get(userId) ?? Number.NEGATIVE_INFINITY) > at ||
    (realmChangedAt.get(realmId) ?? Number.NEGATIVE_INFINITY) > at
  const refused = new LRUCache<string, { error: AppError; until: number }>({ max: MAX_REFUSED })
  const asking = new Map<string, Promise<Known>>()

  const keep = (key: string, entry: Known): Known => {
    known.set(key, entry)
    const { userId } = entry.caller
    const keys = keysOfUser.get(userId)
    if (keys) keys.add(key)
    else keysOfUser.set(userId, new Set([key]))
    return entry
  }

  const remember = (key: string, found: IdentifiedCaller, previous: Known | undefined): Known => {
    const at = now()
    const hasToken =
      previous && at - previous.signedAt < userTokenReuseMs && isSame(previous.caller, found.caller)
    const signed = hasToken
      ? { token: previous.token, signedAt: previous.signedAt }
      : { token: signToken(found.caller), signedAt: at }
    const { caller, mayOnlySendMessages } = found
    return keep(key, {
      caller,
      mayOnlySendMessages,
      freshUntil: at + FRESH_MS * (1 - FRESH_SPREAD * Math.random()),
      ...signed,
    })
  }

  const ask = async (key: string, request: Asked, previous: Known | undefined): Promise<Known> => {
    const { credentials } = request
    // Who was known a moment ago isn't guessing, and may share an address with someone who does.
    if (!previous) await limits.refuseGuessing(request.clientIp)
    const askedAt = now()
    try {
      const found = await identify({ ...credentials, host: request.host }, request.requestId)
      // The answer may be older than the change.
      if (hasChangedSince(askedAt, found.caller)) return ask(key, request, known.get(key))
      metrics.identityLookedUp('miss')
      return remember(key, found, previous)
    } catch (err) {
      if (!(err instanceof AppError)) throw err
      if (err.code === 'SERVICE_UNAVAILABLE') return withoutUsers(key, err)
      // Nobody knows whose refusal it is.
      if (anyChangedAt > askedAt) return ask(key, request, known.get(key))
      metrics.identityLookedUp('refused')
      const error = asUnauthorized(err)
      known.delete(key)
      refused.set(key, { error, until: now() + REFUSED_MS })
      await limits.countFailure(request.clientIp)
      throw error
    }
  }

  /** While nobody can be asked, whoever is cached goes on for as long as the lease says that nothing changed. Throws `err` for others. */
  const withoutUsers = (key: string, err: AppError): Known => {
    const entry = known.get(key)
    if (!entry || !lease.isValid()) throw err
    metrics.identityLookedUp('stale')
    return withLiveToken(key, entry)
  }

  /** A token runs out before an entry does while users is away. */
  const withLiveToken = (key: string, entry: Known): Known => {
    if (now() - entry.signedAt < userTokenReuseMs) return entry
    return keep(key, { ...entry, token: signToken(entry.caller), signedAt: now() })
  }

  /** The answer of users, of one question for all who ask at once. */
  const askOnce = (key: string, request: Asked): Promise<Known> => {
    let answer = asking.get(key)
    if (!answer) {
      answer = ask(key, request, known.get(key)).finally(() => asking.delete(key))
      asking.set(key, answer)
    }
    return answer
  }

  /** Whoever is still cached once changes are known up to the request. */
  const onceValid = async (key: string, request: Asked): Promise<Known> => {
    await lease.validate()
    const entry = known.get(key)
    return entry && now() < entry.freshUntil ? hit(key, entry) : askOnce(key, request)
  }

  const hit = (key: string, entry: Known): Known => {
    metrics.identityLookedUp('hit')
    return withLiveToken(key, entry)
  }

  return {
    find: (from) => {
      const request = { ...from, credentials: parseBasicCredentials(from.authorization) }
      const key = keyOf(request.credentials, subdomainOf(from.host, externalHost))
      const entry = known.get(key)
      if (!lease.isValid()) return onceValid(key, request)
      if (entry && now() < entry.freshUntil) return hit(key, entry)
      const refusal = refused.get(key)
      if (refusal && now() < refusal.until) return Promise.reject(refusal.error)
      return askOnce(key, request)
    },
    forget: ({ userIds, realmIds }) => {
      const at = now()
      anyChangedAt = at
      // Whose they are isn't known; somebody may be active again.
      refused.clear()
      for (const userId of userIds) {
        userChangedAt.set(userId, at)
        for (const key of [...(keysOfUser.get(userId) ?? [])]) known.delete(key)
      }
      if (realmIds.length === 0) return
      for (const realmId of realmIds) realmChangedAt.set(realmId, at)
      // So rare that looking at everyone costs less than knowing who is of which organization.
      const ofThese = new Set(realmIds)
      for (const [key, { caller }] of [...known.entries()]) if (ofThese.has(caller.realmId)) known.delete(key)
    },
    forgetAll: () => {
      allChangedAt = now()
      anyChangedAt = allChangedAt
      refused.clear()
      known.clear()
    },
  }
}

/**
 * One for all that users takes for the same, however it is written: each way of writing would be asked about, and would take the
 * place of somebody else. An e-mail address has no colon here, and a subdomain no line break.
 */
function keyOf({ email, apiKey }: BasicCredentials, subdomain: string): string {
  return hash('sha256', `${subdomain}\n${email.toLowerCase()}:${apiKey}`, 'base64')
}

/** Whatever is wrong with credentials is one code; the message says what (API document, "Authentication"). */
function asUnauthorized(err: AppError): AppError {
  return err.status >= 500 ? err : new AppError('UNAUTHORIZED', { message: err.message, cause: err })
}

function isSame(a: Caller, b: Caller): boolean {
  return a.userId === b.userId && a.realmId === b.realmId && a.role === b.role && a.isBot === b.isBot
}
