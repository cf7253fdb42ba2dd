import { domainEvents } from '@tms/contracts'
import type { Cause, Tx } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import {
  listMutedTopics,
  lockVisibility,
  storeVisibility,
  type TopicRef,
  type VisibilityChange,
} from './user-topic.queries.ts'

/**
 * Sets the visibility policies of users for a topic, and publishes them to those who see the channel; 0 removes a
 * policy. Each user is in `changes` once. Neither the name nor the visibility of the channel for these users may
 * change meanwhile. So its recipient must be locked, or its removal lock shared by a subscriber
 * (`shareRemovalLocks`), since every change that affects a subscriber waits for that lock. Call it once for all
 * users of a topic, or lock them all before (`lockVisibility`), and before publishing the cause.
 */
export async function setVisibility(
  tx: Tx,
  { publish, now }: Pick<Context, 'publish' | 'now'>,
  topicRef: TopicRef,
  changes: readonly VisibilityChange[],
  cause: Cause,
): Promise<void> {
  if (changes.length === 0) return
  const userIds = changes.map(({ userId }) => userId)
  await lockVisibility(tx, cause.realmId, userIds)
  const updatedAt = now()
  const changed = await storeVisibility(tx, topicRef, changes, updatedAt)
  const visibleUserIds = changed.filter(({ isVisible }) => isVisible).map(({ userId }) => userId)
  if (visibleUserIds.length === 0) return

  const mutedTopics = await listMutedTopics(tx, visibleUserIds)
  const wanted = new Map(changes.map(({ userId, visibility }) => [userId, visibility]))
  await publish(
    tx,
    domainEvents.messaging.userTopicUpdated,
    {
      stream_id: topicRef.channelId,
      topic_name: topicRef.topic,
      last_updated: Math.floor(updatedAt.getTime() / 1000),
      changes: visibleUserIds.map((userId) => ({
        user_id: userId,
        visibility_policy: wanted.get(userId) ?? 0,
        muted_topics: mutedTopics.get(userId) ?? [],
      })),
    },
    cause,
  )
}
