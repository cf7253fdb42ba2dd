import { hash } from 'node:crypto'
import { AppError } from '@tms/contracts'
import { type Caller, userTokenReuseMs } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import type { GatewayMetrics } from '../metrics.ts'
import { type BasicCredentials, parseBasicCredentials } from './basic-credentials.rules.ts'

/** Too small asks users at every turn; too large lets a revoked key in for as long. */
const FRESH_MS = 60_000
/** What was looked up together must not run out together. */
const FRESH_SPREAD = 0.25
/** While users is away, one look per identity and second is enough. */
const STALE_PAUSE_MS = 1_000
/** While users is away, whoever was known goes on for this long (design: "when this is down"). */
const STALE_MS = 300_000
/** Blunts guessing, yet a client that has just got its key isn't refused for long. */
const REFUSED_MS = 1_000
/** About 0.6 KB each. */
const MAX_KNOWN = 50_000
const MAX_REFUSED = 10_000

/** A caller whom users has identified, with the token that tells services so. */
export interface Identity {
  readonly caller: Caller
  readonly token: string
}

/** Who sends a request. */
export interface Identities {
  /** Rejects with UNAUTHORIZED, BAD_REQUEST, RATE_LIMIT_HIT, or SERVICE_UNAVAILABLE when users is away. */
  find(request: IdentityRequest): Identity | Promise<Identity>
}

export interface IdentityRequest {
  readonly authorization: string | undefined
  readonly host: string
  readonly clientIp: string
  readonly requestId: string
}

interface IdentitiesOptions {
  /** Asks the users service. Rejects with its refusal, or SERVICE_UNAVAILABLE. */
  readonly identify: (credentials: BasicCredentials & { host: string }, requestId: string) => Promise<Caller>
  readonly signToken: (caller: Caller) => string
  /** Slows down guessing, by the client's address. */
  readonly guard: {
    /** Rejects with RATE_LIMIT_HIT. */
    check(clientIp: string): Promise<void>
    countFailure(clientIp: string): Promise<void>
  }
  readonly metrics: Pick<GatewayMetrics, 'identityLookedUp'>
  readonly now: () => number
}

interface Known extends Identity {
  readonly checkedAt: number
  /** Until then users isn't asked again. */
  readonly freshUntil: number
  readonly signedAt: number
}

/** Recognises credentials, from memory where it can: their hash is kept, never the key. */
export function createIdentities(options: IdentitiesOptions): Identities {
  const { identify, signToken, guard, metrics, now } = options
  const known = new LRUCache<string, Known>({ max: MAX_KNOWN })
  const refused = new LRUCache<string, { error: AppError; until: number }>({ max: MAX_REFUSED })
  const asking = new Map<string, Promise<Known>>()

  const remember = (key: string, caller: Caller, previous: Known | undefined): Known => {
    const at = now()
    const hasToken = previous && at - previous.signedAt < userTokenReuseMs && isSame(previous.caller, caller)
    const signed = hasToken
      ? { token: previous.token, signedAt: previous.signedAt }
      : { token: signToken(caller), signedAt: at }
    const freshUntil = at + FRESH_MS * (1 - FRESH_SPREAD * Math.random())
    const entry = { caller, checkedAt: at, freshUntil, ...signed }
    known.set(key, entry)
    return entry
  }

  const ask = async (key: string, request: IdentityRequest, previous: Known | undefined): Promise<Known> => {
    const credentials = parseBasicCredentials(request.authorization)
    // Who was known a moment ago isn't guessing, and may share an address with someone who does.
    if (!previous) await guard.check(request.clientIp)
    try {
      const caller = await identify({ ...credentials, host: request.host }, request.requestId)
      metrics.identityLookedUp('miss')
      return remember(key, caller, previous)
    } catch (err) {
      if (!(err instanceof AppError)) throw err
      if (err.code === 'SERVICE_UNAVAILABLE') {
        if (!previous || now() - previous.checkedAt > STALE_MS) throw err
        metrics.identityLookedUp('stale')
        const paused = { ...previous, freshUntil: now() + STALE_PAUSE_MS }
        known.set(key, paused)
        return withLiveToken(key, paused)
      }
      metrics.identityLookedUp('refused')
      const error = asUnauthorized(err)
      known.delete(key)
      refused.set(key, { error, until: now() + REFUSED_MS })
      await guard.countFailure(request.clientIp)
      throw error
    }
  }

  /** A token runs out before a stale entry does. */
  const withLiveToken = (key: string, entry: Known): Known => {
    if (now() - entry.signedAt < userTokenReuseMs) return entry
    const renewed = { ...entry, token: signToken(entry.caller), signedAt: now() }
    known.set(key, renewed)
    return renewed
  }

  return {
    find: (request) => {
      const key = hash('sha256', `${request.host.toLowerCase()}\n${request.authorization ?? ''}`, 'base64')
      const entry = known.get(key)
      if (entry && now() < entry.freshUntil) {
        metrics.identityLookedUp('hit')
        return withLiveToken(key, entry)
      }
      const refusal = refused.get(key)
      if (refusal && now() < refusal.until) return Promise.reject(refusal.error)
      let answer = asking.get(key)
      if (!answer) {
        answer = ask(key, request, entry).finally(() => asking.delete(key))
        asking.set(key, answer)
      }
      return answer
    },
  }
}

/** Whatever is wrong with credentials is one code; the message says what (API document, "Authentication"). */
function asUnauthorized(err: AppError): AppError {
  return err.status >= 500 ? err : new AppError('UNAUTHORIZED', { message: err.message, cause: err })
}

function isSame(a: Caller, b: Caller): boolean {
  return a.userId === b.userId && a.realmId === b.realmId && a.role === b.role && a.isBot === b.isBot
}
