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
 * Sets how users want to see a topic, and tells those who know of the channel; 0 removes what was set. Each user is in
 * `changes` once. Neither the channel's name nor who of them knows of it may change meanwhile, so its place must be locked; or
 * kept by someone who is subscribed (`keepInPlaces`), for whom it changes by nothing that doesn't wait for that. Call it once
 * for all users of a topic, or lock them all before (`lockVisibility`), and before publishing what caused it.
 */
export async function setVisibility(
  tx: Tx,
  { publish, now }: Pick<Context, 'publish' | 'now'>,
  place: TopicPlace,
  changes: readonly VisibilityChange[],
  cause: Cause,
): Promise<void> {
  if (changes.length === 0) return
  const userIds = changes.map(({ userId }) => userId)
  await lockVisibility(tx, cause.realmId, userIds)
  const updatedAt = now()
  const changed = await storeVisibility(tx, place, changes, updatedAt)
  const toldIds = changed.filter(({ isInSight }) => isInSight).map(({ userId }) => userId)
  if (toldIds.length === 0) return

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
}
