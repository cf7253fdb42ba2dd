import { domainEvents } from '@tms/contracts'
import type { Cause, Tx } from '@tms/service-kit'
import type { Context } from '../context.ts'
import {
  listMutedTopics,
  lockVisibility,
  storeVisibility,
  type TopicPlace,
  type VisibilityChange,
} from './user-topic.queries.ts'

/**
 * Sets how users want to see a topic, tells them, and returns for whom that changed; 0 removes what was set.
 * Each user is in `changes` once. Takes the last of a transaction's locks: call it once for all users of a topic,
 * after everything else has been locked, and before publishing what caused it.
 */
export async function setVisibility(
  tx: Tx,
  { publish, now }: Pick<Context, 'publish' | 'now'>,
  place: TopicPlace,
  changes: readonly VisibilityChange[],
  cause: Cause,
): Promise<number[]> {
  if (changes.length === 0) return []
  const userIds = changes.map(({ userId }) => userId)
  await lockVisibility(tx, userIds)
  const updatedAt = now()
  const changedIds = await storeVisibility(tx, place, changes, updatedAt)
  if (changedIds.length === 0) return []

  const mutedTopics = await listMutedTopics(tx, changedIds)
  const wanted = new Map(changes.map(({ userId, visibility }) => [userId, visibility]))
  await publish(
    tx,
    domainEvents.messaging.userTopicUpdated,
    {
      stream_id: place.channelId,
      topic_name: place.topic,
      last_updated: Math.floor(updatedAt.getTime() / 1000),
      changes: changedIds.map((userId) => ({
        user_id: userId,
        visibility_policy: wanted.get(userId) ?? 0,
        muted_topics: mutedTopics.get(userId) ?? [],
      })),
    },
    cause,
  )
  return changedIds
}
