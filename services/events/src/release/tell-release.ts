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

/** Longer than telling takes: the replicas of an upgrade start together, and one of them tells. */
const LOCK_MS = 10_000
const LOOK_MS = 1_000
const REST_MS = 24 * 60 * 60 * 1_000

/**
 * Tells all clients, once after this replica has started, if it is another release than they know of; restarts that
 * change nothing for them are none of their business. Of an upgrade replica by replica the first one tells.
 */
export function startTellingRelease(options: {
  redis: Redis
  keys: Pick<Keys, 'release' | 'releaseLock'>
  publisher: Publisher
  replicaId: string
  log: Logger
}): Loop {
  const { redis, keys, publisher, replicaId, log } = options
  const own = JSON.stringify(serverVersion)
  let isKnown = false

  const tell = async (): Promise<void> => {
    const { version, featureLevel, mergeBase, generation } = serverVersion
    const release = { version, feature_level: featureLevel, merge_base: mergeBase, generation }
    await publishUnsequenced(publisher, domainEvents.events.releaseChanged, release, {
      // Of no organization: it goes to everyone.
      realmId: 0,
      requestId: null,
    })
    log.info(release, 'clients are told of the release')
  }

  return startLoop({
    name: 'release',
    log,
    retryMs: LOOK_MS,
    round: async () => {
      if (isKnown) return REST_MS
      const known = await redis.get(keys.release)
      if (known !== null && known !== own) {
        if (!(await redis.set(keys.releaseLock, replicaId, 'PX', LOCK_MS, 'NX'))) return LOOK_MS
        try {
          await tell()
        } catch (err) {
          // The broker isn't there yet: whoever is first connected with it tells.
          await redis.del(keys.releaseLock)
          throw err
        }
      }
      if (known !== own) await redis.set(keys.release, own)
      isKnown = true
      return REST_MS
    },
  })
}
