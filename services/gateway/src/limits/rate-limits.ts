import { AppError } from '@tms/contracts'
import { type Caller, type Logger, masterOf, networkOf, type Redis } from '@tms/service-kit'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { type LimitState, limitHeadersOf } from './limit-headers.rules.ts'

const WINDOW_SECONDS = 60
/**
 * After Redis, or one of its masters, failed, the calls that it counts pass uncounted for this long, rather than each
 * waiting for it.
 */
const REDIS_PAUSE_MS = 1_000

/** Counts calls over all replicas. If Redis is unavailable nothing is limited. */
export interface RateLimits {
  /** Counts a call of this user; null if it isn't limited. */
  countCall(caller: Caller): Promise<LimitState> | null
  /** Counts a call of an organization's provisioning system; null if it isn't limited. */
  countProvisioning(realmId: number): Promise<LimitState> | null
  /** Counts a call without credentials from this address; null if it isn't limited. */
  countAnonymousCall(clientIp: string): Promise<LimitState> | null
  /** Rejects with RATE_LIMIT_HIT if this address sent too many wrong credentials. */
  refuseGuessing(clientIp: string): Promise<void>
  /** Counts wrong credentials against this address. */
  countFailure(clientIp: string): Promise<void>
}

interface RateLimitsOptions {
  readonly redis: Redis
  readonly namespace: string
  /** 0 means no limit. */
  readonly callsPerMinute: number
  /** 0 means no limit. */
  readonly anonymousCallsPerMinute: number
  /** 0 means no limit. */
  readonly failuresPerMinute: number
  readonly log: Logger
  readonly now: () => number
}

export function createRateLimits(options: RateLimitsOptions): RateLimits {
  const { redis, namespace, callsPerMinute, anonymousCallsPerMinute, failuresPerMinute, log, now } = options
  const limiterOf = (name: string, points: number) =>
    points === 0
      ? null
      : new RateLimiterRedis({
          storeClient: redis,
          keyPrefix: `${namespace}:limit:${name}`,
          points,
          duration: WINDOW_SECONDS,
          // Once the limit is reached, refusals need no call of Redis.
          inMemoryBlockOnConsumed: points,
        })
  const calls = limiterOf('calls', callsPerMinute)
  const anonymousCalls = limiterOf('anonymous', anonymousCallsPerMinute)
  const failures = limiterOf('failures', failuresPerMinute)
  /** By master. */
  const pausedUntil = new Map<string | null, number>()

  /** Null if Redis doesn't answer. A refusal is returned as a value; the library rejects with it. */
  const orNull = async (
    limiter: RateLimiterRedis,
    subject: string,
    operation: 'consume' | 'get',
  ): Promise<RateLimiterRes | null> => {
    const master = masterOf(redis, limiter.getKey(subject))
    if (now() < (pausedUntil.get(master) ?? 0)) return null
    try {
      return await limiter[operation](subject)
    } catch (err) {
      if (err instanceof RateLimiterRes) return err
      pausedUntil.set(master, now() + REDIS_PAUSE_MS)
      log.warn({ err }, 'redis does not answer, calls are not limited')
      return null
    }
  }

  const count = (limiter: RateLimiterRedis, subject: string, limit: number): Promise<LimitState> =>
    orNull(limiter, subject, 'consume').then((result) => limitHeadersOf(result, limit, now()))

  return {
    countCall: ({ realmId, userId }) => calls && count(calls, `${realmId}:${userId}`, callsPerMinute),
    countProvisioning: (realmId) => calls && count(calls, `${realmId}:provisioning`, callsPerMinute),
    countAnonymousCall: (clientIp) =>
      anonymousCalls && count(anonymousCalls, networkOf(clientIp), anonymousCallsPerMinute),
    refuseGuessing: async (clientIp) => {
      if (!failures) return
      const state = await orNull(failures, networkOf(clientIp), 'get')
      if (state && state.consumedPoints >= failuresPerMinute) throw rateLimitHit(state.msBeforeNext)
    },
    countFailure: async (clientIp) => {
      if (failures) await orNull(failures, networkOf(clientIp), 'consume')
    },
  }
}

/** The error for a call over the limit, with the time until another may be made. */
export function rateLimitHit(retryAfterMs: number): AppError {
  return new AppError('RATE_LIMIT_HIT', { details: { 'retry-after': retryAfterMs / 1000 } })
}
