import type { Pool } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import type { TopicNews } from './choose-topics.rules.ts'
import { listTopicNews } from './digest.queries.ts'

/** Digests of one evening are about the same channels: longer would leave out what came meanwhile. */
const KEPT_MS = 15 * 60_000
const MAX_CHANNELS = 5_000
/** Channels of one statement: more would take its connection for long. */
const AT_ONCE = 20

/** Finds what happened in channels since a time, by recipient. */
export type FindTopicNews = (
  recipientIds: readonly number[],
  since: number,
) => Promise<ReadonlyMap<number, readonly TopicNews[]>>

/** Creates the function, which reads each channel once for all digests that are about it. */
export function createTopicNewsFinder(db: Pool): FindTopicNews {
  const kept = new LRUCache<string, readonly TopicNews[]>({ max: MAX_CHANNELS, ttl: KEPT_MS })
  return async (recipientIds, since) => {
    // Weeks that begin within one day are the same week: what is older is left out when messages are read.
    const day = Math.floor(since / 86_400) * 86_400
    const keyOf = (recipientId: number) => `${recipientId} ${day}`
    const found = new Map<number, readonly TopicNews[]>()
    const missing = recipientIds.filter((recipientId) => {
      const topics = kept.get(keyOf(recipientId))
      if (topics) found.set(recipientId, topics)
      return topics === undefined
    })
    for (let start = 0; start < missing.length; start += AT_ONCE) {
      const some = missing.slice(start, start + AT_ONCE)
      const read = await listTopicNews(db, some, day)
      for (const recipientId of some) {
        const topics = read.get(recipientId) ?? []
        kept.set(keyOf(recipientId), topics)
        found.set(recipientId, topics)
      }
    }
    return found
  }
}
