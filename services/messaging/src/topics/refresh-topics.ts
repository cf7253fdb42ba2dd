import { domainEvents } from '@tms/contracts'
import type { Cause, Publish, Tx } from '@tms/service-kit'
import { listTopicsOf, listTopicVisibility, type RefreshScope } from './topic-refresh.queries.ts'
import {
  computeTopicRefresh,
  refreshParts,
  type TopicRefresh,
  type TopicVisibility,
} from './topic-refresh.rules.ts'
import { listMutedTopics, lockVisibility } from './user-topic.queries.ts'

/** Number of users whose lists are read at once. */
const CHUNK_SIZE = 200

/**
 * Makes a change of the visibility or the name of channels, and publishes to users with topic policies there what
 * it means for those: the events of the change itself don't say so. `scopes` cover all users and channels that may
 * be affected. The recipients of the channels must be locked, and no lock that comes after `lockVisibility`.
 */
export async function withTopicRefresh<T>(
  tx: Tx,
  {
    publish,
    cause,
    scopes,
  }: { publish: Publish<'messaging'>; cause: Cause; scopes: readonly RefreshScope[] },
  change: () => Promise<T>,
): Promise<T> {
  const before = await listAllTopicVisibility(tx, scopes)
  const muters = before.filter(({ isMuting }) => isMuting)
  // Before the change is published: a list that is published later must reflect it.
  await lockVisibility(
    tx,
    cause.realmId,
    muters.map(({ userId }) => userId),
  )
  const result = await change()
  // No affected user can have changed a policy there meanwhile.
  if (before.length > 0)
    await publishTopicRefresh(
      tx,
      publish,
      computeTopicRefresh(before, await listAllTopicVisibility(tx, scopes)),
      cause,
    )
  return result
}

async function listAllTopicVisibility(tx: Tx, scopes: readonly RefreshScope[]): Promise<TopicVisibility[]> {
  const visibilities: TopicVisibility[] = []
  for (const scope of scopes)
    for (const visibility of await listTopicVisibility(tx, scope)) visibilities.push(visibility)
  return visibilities
}

async function publishTopicRefresh(
  tx: Tx,
  publish: Publish<'messaging'>,
  { shown, muterIds }: TopicRefresh,
  cause: Cause,
): Promise<void> {
  const isMuter = new Set(muterIds)
  const userIds = [...new Set([...shown.map(({ userId }) => userId), ...muterIds])].sort((a, b) => a - b)
  for (let start = 0; start < userIds.length; start += CHUNK_SIZE) {
    const chunk = new Set(userIds.slice(start, start + CHUNK_SIZE))
    const pairs = shown.filter(({ userId }) => chunk.has(userId))
    const topics = await listTopicsOf(tx, pairs)
    const mutedTopics = await listMutedTopics(
      tx,
      [...chunk].filter((userId) => isMuter.has(userId)),
    )
    const users = [...chunk].map((user_id) => ({
      user_id,
      shown: topics.get(user_id) ?? [],
      muted_topics: isMuter.has(user_id) ? (mutedTopics.get(user_id) ?? []) : null,
    }))
    for (const part of refreshParts(users)) {
      await publish(tx, domainEvents.messaging.userTopicsRefreshed, { users: part }, cause)
    }
  }
}
