import { domainEvents, serverVersion } from '@tms/contracts'
import {
  type Logger,
  type Loop,
  type Publisher,
  publishUnsequenced,
  type Redis,
  startLoop,
} from '@tms/service-kit'
import type { Keys } from '../redis/keys.ts'

/** Longer than publishing takes: the replicas of an upgrade start together, and only one of them publishes. */
const LOCK_MS = 10_000
const RETRY_MS = 1_000
const IDLE_MS = 24 * 60 * 60 * 1_000

/**
 * Publishes this release to all clients, once after this replica has started, if it differs from the one that was published
 * last. Restarts of the same release aren't published. In a rolling upgrade, the first new replica publishes.
 */
export function startReleasePublisher(options: {
  redis: Redis
  keys: Pick<Keys, 'release' | 'releaseLock'>
  publisher: Publisher
  replicaId: string
  log: Logger
}): Loop {
  const { redis, keys, publisher, replicaId, log } = options
  const own = JSON.stringify(serverVersion)
  let isPublished = false

  const publish = async (): Promise<void> => {
    const { version, featureLevel, mergeBase, generation } = serverVersion
    const release = { version, feature_level: featureLevel, merge_base: mergeBase, generation }
    await publishUnsequenced(publisher, domainEvents.events.releaseChanged, release, {
      // Belongs to no organization: it is delivered to everyone.
      realmId: 0,
      requestId: null,
    })
    log.info(release, 'release change published')
  }

  return startLoop({
    name: 'release',
    log,
    retryMs: RETRY_MS,
    round: async () => {
      if (isPublished) return IDLE_MS
      const published = await redis.get(keys.release)
      if (published !== null && published !== own) {
        if (!(await redis.set(keys.releaseLock, replicaId, 'PX', LOCK_MS, 'NX'))) return RETRY_MS
        try {
          await publish()
        } catch (err) {
          // The broker is unavailable: the first replica that connects to it publishes.
          await redis.del(keys.releaseLock)
          throw err
        }
      }
      if (published !== own) await redis.set(keys.release, own)
      isPublished = true
      return IDLE_MS
    },
  })
}
