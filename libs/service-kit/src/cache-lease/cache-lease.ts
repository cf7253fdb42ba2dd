import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@tms/contracts'
import type { Registry } from 'prom-client'
import { Batched } from '../concurrency/batched.ts'
import { type Loop, startLoop } from '../lifecycle/loop.ts'
import type { Logger } from '../telemetry/log.ts'
import { Counter, Gauge } from '../telemetry/metrics.ts'
import { announcedPositionOf, FollowedSource, type Follower } from './followed-source.ts'
import type { Announcement, LeaseStore } from './lease-store.ts'

/**
 * How long a lease is valid here after its renewal. Shorter than `ACKNOWLEDGE_MS` by the possible difference of
 * clocks.
 */
const VALID_MS = 1_750
/** Too rarely lets a lease expire over a hiccup; each renewal costs Redis a script. */
const RENEW_MS = 500
/** While Redis is unavailable. */
const RETRY_MS = 250
/** At startup, when Redis is usually connected within moments. */
const CONNECT_RETRY_MS = 20
/** A request that waits longer is refused: for clients, an error is better than a hanging request. */
const MAX_WAIT_MS = 8_000
/** How long requests don't try Redis after a failure; the loop notices when it is back. */
const REDIS_PAUSE_MS = 1_000

/**
 * A replica's permission to serve from its caches and projections of other services (decision 37). While it is valid,
 * every change that those services have confirmed is visible here.
 */
export interface CacheLease {
  /** Whether caches may be used. Costs nothing. */
  isValid(): boolean
  /**
   * Resolves once every change that was confirmed before the call is visible here: the lease is renewed or, while
   * Redis is unavailable, the sources are queried. Rejects with SERVICE_UNAVAILABLE if neither works.
   */
  validate(): Promise<void>
  /**
   * Resolves once the lease is valid for the first time, or after the timeout: requests served before that are
   * refused.
   */
  untilValid(timeoutMs: number): Promise<void>
  /** Makes every replica query the sources again and drop its caches, after projections were repaired. */
  refreshAll(): Promise<void>
  stop(): Promise<void>
}

/** Acquires a lease and renews it. `receive` takes the messages of the announcements channel. */
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
    help: 'Requests that came while the cache lease was not valid, by outcome: the lease was renewed, the sources were queried instead (asked), or the request was refused.',
    labelNames: ['outcome'],
    registers: [metrics],
  })
  new Gauge({
    name: 'cache_lease_valid',
    help: '1 while this replica may serve from its caches of other services; otherwise it queries them first.',
    registers: [metrics],
    collect() {
      this.set(isValid() ? 1 : 0)
    },
  })

  const isValid = () => now() < leasedUntil
  const acknowledge = (announcement: Announcement) => {
    // If it is lost, the announcer waits until the lease would have expired.
    store.acknowledge(replicaId, announcement).catch(() => {})
  }
  const followed = options.followers.map((follower) => new FollowedSource(follower, acknowledge, log))

  const renew = new Batched(async () => {
    const requestedAt = now()
    const announced = await store.renew(replicaId).catch((err: unknown) => {
      redisFailedAt = now()
      throw err
    })
    await Promise.all(
      followed.map((source) => source.catchUpTo(announcedPositionOf(announced, source.source))),
    )
    leasedUntil = requestedAt + VALID_MS
  })
  const catchUp = new Batched(async () => {
    await Promise.all(followed.map((source) => source.catchUp()))
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
    if (store.isConnected() && now() - redisFailedAt > REDIS_PAUSE_MS) {
      const isRenewed = await renew.run().then(
        () => true,
        () => false,
      )
      if (isRenewed && isValid()) return 'renewed'
    }
    await catchUp.run()
    return 'asked'
  }

  return {
    isValid,
    validate: async () => {
      if (isValid()) return
      let timer: NodeJS.Timeout | undefined
      const timedOut = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('not in time')), MAX_WAIT_MS)
      })
      try {
        validations.inc({ outcome: await Promise.race([validateOnce(), timedOut]) })
      } catch (cause) {
        validations.inc({ outcome: 'refused' })
        throw new AppError('SERVICE_UNAVAILABLE', {
          message: 'It cannot be checked at the moment whether there are recent changes; try again shortly',
          cause,
        })
      } finally {
        clearTimeout(timer)
      }
    },
    untilValid: async (timeoutMs) => {
      const until = now() + timeoutMs
      while (!isValid() && now() < until) {
        // Fails at once without a connection.
        const attempt = renew.run().catch(() => sleep(CONNECT_RETRY_MS))
        await Promise.race([attempt, sleep(RETRY_MS)])
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
