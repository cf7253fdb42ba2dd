import type { Registry } from 'prom-client'
import { type CacheLease, startCacheLease } from '../cache-lease/cache-lease.ts'
import { type ChangeAnnouncer, startChangeAnnouncer } from '../cache-lease/change-announcer.ts'
import type { Follower } from '../cache-lease/followed-source.ts'
import {
  LeaseStore,
  parseAcknowledgement,
  parseAnnouncement,
  type Source,
} from '../cache-lease/lease-store.ts'
import type { RecentChange } from '../cache-lease/recent-changes.queries.ts'
import type { Probe } from '../lifecycle/health.ts'
import type { Pool } from '../postgres/pool.ts'
import { closeRedis, connectRedis, subscribe, waitForRedis } from '../redis/index.ts'
import type { Opening } from './assembly.ts'
import { redisProbe } from './probes.ts'

/**
 * A slower command isn't awaited: the sources are queried, or the change is refused. Until a lost host is noticed,
 * changes are committed but can't be confirmed.
 */
const REDIS_OPTIONS = { commandTimeoutMs: 1_000, silenceMs: 2_000, failsAtOnce: true } as const

interface RedisVariables {
  readonly REDIS_URL: string
  readonly NAMESPACE: string
}

/** Connects to the Redis that holds all leases and announcements. */
function openStore({ closers, log, tls }: Opening, { REDIS_URL, NAMESPACE }: RedisVariables) {
  const redis = closers.add(
    'redis of leases',
    connectRedis(REDIS_URL, log, { ...REDIS_OPTIONS, tls }),
    closeRedis,
  )
  return { redis, store: new LeaseStore(redis, NAMESPACE) }
}

/** Acquires a lease for the caches of the followed sources. */
export async function openCacheLease(
  opening: Opening,
  config: RedisVariables,
  { followers, metrics }: { readonly followers: readonly Follower[]; readonly metrics: Registry },
): Promise<CacheLease & { readonly probe: Probe }> {
  const { closers, log, tls } = opening
  const { redis, store } = openStore(opening, config)
  await waitForRedis(redis)
  const lease = closers.add('cache lease', startCacheLease({ store, followers, log, metrics }), (held) =>
    held.stop(),
  )
  const heard = subscribe(redis, config.REDIS_URL, {
    channels: [store.channel],
    onMessage: (_channel, message) => lease.receive(parseAnnouncement(message)),
    // The next renewal finds what was missed meanwhile.
    onLost: () => {},
    onSubscribed: () => {},
    log,
    tls,
  })
  closers.add('announcements', heard, (subscription) => subscription.close())
  return { ...lease, probe: redisProbe(redis) }
}

/** Announces the changes of this service to all replicas that hold leases. */
export async function openChangeAnnouncer(
  opening: Opening,
  config: RedisVariables,
  options: {
    readonly source: Source
    readonly db: Pool
    readonly load: (changes: readonly RecentChange[]) => Promise<unknown>
    readonly metrics: Registry
  },
): Promise<ChangeAnnouncer & { readonly probe: Probe }> {
  const { closers, log, tls } = opening
  const { redis, store } = openStore(opening, config)
  await waitForRedis(redis)
  const announcer = closers.add(
    'change announcer',
    await startChangeAnnouncer({ ...options, store, log }),
    (started) => started.stop(),
  )
  const heard = subscribe(redis, config.REDIS_URL, {
    channels: [store.acknowledgements],
    onMessage: (_channel, message) => announcer.receive(parseAcknowledgement(message)),
    // Missed acknowledgements are looked up.
    onLost: () => {},
    onSubscribed: () => {},
    log,
    tls,
  })
  closers.add('acknowledgements', heard, (subscription) => subscription.close())
  return { ...announcer, probe: redisProbe(redis) }
}
