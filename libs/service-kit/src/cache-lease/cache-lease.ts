import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@tms/contracts'
import type { Registry } from 'prom-client'
import { Batched } from '../batched.ts'
import type { Logger } from '../log.ts'
import { type Loop, startLoop } from '../loop.ts'
import { Counter, Gauge } from '../metrics.ts'
import { announcedOf, FollowedSource, type Follower } from './followed-source.ts'
import type { Announcement, LeaseStore } from './lease-store.ts'

/** For this long after its renewal a lease counts here. Shorter than `ACKNOWLEDGE_MS` by what clocks may differ. */
const VALID_MS = 1_750
/** Too seldom lets a lease run out over a hiccup; each costs Redis a script. */
const RENEW_MS = 500
/** While Redis is away. */
const RETRY_MS = 250
/** While a service starts, which mostly is connected with Redis in a moment. */
const CONNECT_RETRY_MS = 20
/** What waits longer is refused: a client that is told so knows more than one that hangs. */
const PATIENCE_MS = 8_000
/** After a failure Redis isn't waited for by requests for so long; the loop finds out when it is back. */
const REDIS_AWAY_MS = 1_000

/**
 * The right of a replica to serve by what it has cached and projected of other services (decision 37): while it is valid, whatever
 * those have answered with success is in force here.
 */
export interface CacheLease {
  /** Whether what is cached may be used. Costs nothing. */
  isValid(): boolean
  /**
   * Resolves once whatever was answered with success before the call is in force here: the lease is renewed or, while Redis is
   * away, the sources are asked. Rejects with SERVICE_UNAVAILABLE when neither can be had.
   */
  validate(): Promise<void>
  /** Resolves once it is valid for the first time, or after so many milliseconds: what serves before that refuses. */
  untilValid(timeoutMs: number): Promise<void>
  /** Has every replica ask the sources anew, and drop what it caches: after projections were repaired. */
  refreshAll(): Promise<void>
  stop(): Promise<void>
}

/** Takes a lease and keeps it. `receive` is given what is published on the channel of announcements. */
export function startCacheLease(options: {
  readonly store: LeaseStore
  readonly followers: readonly Follower[]
  readonly log: Logger
  readonly metrics: Registry
}): CacheLease & { receive(announcement: Announcement): void } {
  const { store, log, metrics } = options
  const replicaId = randomUUID()
  const now = () => performance.now()
  let leasedUntil = Number.NEGATIVE_INFINITY
  let redisFailedAt = Number.NEGATIVE_INFINITY
  const validations = new Counter({
    name: 'cache_lease_validations_total',
    help: 'Requests that came while the lease of the caches was not valid: the lease was renewed, the sources were asked instead, or the request was refused.',
    labelNames: ['outcome'],
    registers: [metrics],
  })
  new Gauge({
    name: 'cache_lease_valid',
    help: '1 while this replica may serve by what it caches of other services; else it asks them first.',
    registers: [metrics],
    collect() {
      this.set(isValid() ? 1 : 0)
    },
  })

  const isValid = () => now() < leasedUntil
  const acknowledge = (announcement: Announcement) => {
    // Unheard, it is waited for until the lease would have run out.
    store.acknowledge(replicaId, announcement).catch(() => {})
  }
  const followed = options.followers.map((follower) => new FollowedSource(follower, acknowledge, log))

  const renew = new Batched(async () => {
    const askedAt = now()
    const announced = await store.renew(replicaId).catch((err: unknown) => {
      redisFailedAt = now()
      throw err
    })
    await Promise.all(followed.map((source) => source.reach(announcedOf(announced, source.source))))
    leasedUntil = askedAt + VALID_MS
  })
  const ask = new Batched(async () => {
    await Promise.all(followed.map((source) => source.ask()))
  })

  const loop: Loop = startLoop({
    name: 'cache lease',
    log,
    retryMs: RETRY_MS,
    round: async () => {
      await renew.run()
      return RENEW_MS
    },
  })

  const validateOnce = async (): Promise<'renewed' | 'asked'> => {
    if (store.isConnected() && now() - redisFailedAt > REDIS_AWAY_MS) {
      const isRenewed = await renew.run().then(
        () => true,
        () => false,
      )
      if (isRenewed && isValid()) return 'renewed'
    }
    await ask.run()
    return 'asked'
  }

  return {
    isValid,
    validate: async () => {
      if (isValid()) return
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('not in time')), PATIENCE_MS)
      })
      try {
        validations.inc({ outcome: await Promise.race([validateOnce(), late]) })
      } catch (cause) {
        validations.inc({ outcome: 'refused' })
        throw new AppError('SERVICE_UNAVAILABLE', {
          message: 'Recent changes cannot be known at the moment; try again shortly',
          cause,
        })
      } finally {
        clearTimeout(timer)
      }
    },
    untilValid: async (timeoutMs) => {
      const until = now() + timeoutMs
      while (!isValid() && now() < until) {
        // Without a connection it fails at once.
        const tried = renew.run().catch(() => sleep(CONNECT_RETRY_MS))
        await Promise.race([tried, sleep(RETRY_MS)])
      }
    },
    refreshAll: async () => {
      await Promise.all(followed.map(({ source }) => store.announce(source, '', null)))
    },
    receive: (announcement) => {
      const source = followed.find((one) => one.source === announcement.source)
      if (source) source.receive(announcement)
      else acknowledge(announcement)
    },
    stop: async () => {
      leasedUntil = Number.NEGATIVE_INFINITY
      await loop.stop()
      await store.leave(replicaId).catch(() => {})
    },
  }
}
