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
 * Sets how users want to see a topic, tells those who know of the channel, and returns for whom that changed; 0 removes
 * what was set. Each user is in `changes` once. The channel must be locked, so that neither its name nor who knows of it
 * changes. Takes the last of a transaction's locks: call it once for all users of a topic, after everything else has been
 * locked, and before publishing what caused it.
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
  const changed = await storeVisibility(tx, place, changes, updatedAt)
  const changedIds = changed.map(({ userId }) => userId)
  const toldIds = changed.filter(({ isInSight }) => isInSight).map(({ userId }) => userId)
  if (toldIds.length === 0) return changedIds

  const mutedTopics = await listMutedTopics(tx, toldIds)
  const wanted = new Map(changes.map(({ userId, visibility }) => [userId, visibility]))
  await publish(
    tx,
    domainEvents.messaging.userTopicUpdated,
    {
      stream_id: place.channelId,
      topic_name: place.topic,
      last_updated: Math.floor(updatedAt.getTime() / 1000),
      changes: toldIds.map((userId) => ({
        user_id: userId,
        visibility_policy: wanted.get(userId) ?? 0,
        muted_topics: mutedTopics.get(userId) ?? [],
      })),
    },
    cause,
  )
  return changedIds
}
