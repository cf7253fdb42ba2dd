import { domainEvents } from '@tms/contracts'
import type { Cause, Publish, Tx } from '@tms/service-kit'
import { listTopicSights, listTopicsOf, type SightScope } from './retelling.queries.ts'
import { type Retelling, refreshParts, retellingOf, type TopicSight } from './retelling.rules.ts'
import { listMutedTopics, lockVisibility } from './user-topic.queries.ts'

/** Users whose lists are looked up at once. */
const CHUNK_SIZE = 200

/**
 * Makes a change of who knows of channels, or of what they are called, and tells those who have set something for topics there what
 * that means for them: what the change itself tells says nothing of it. `scopes` are all whom it may concern and where; the
 * channels' places must be locked, and nothing that comes after `lockVisibility`.
 */
export async function retellingTopics<T>(
  tx: Tx,
  { publish, cause, scopes }: { publish: Publish<'messaging'>; cause: Cause; scopes: readonly SightScope[] },
  change: () => Promise<T>,
): Promise<T> {
  const before = await listSights(tx, scopes)
  const muters = before.filter(({ isMuting }) => isMuting)
  // Before the change is told: a list that is told after it must show it.
  await lockVisibility(
    tx,
    cause.realmId,
    muters.map(({ userId }) => userId),
  )
  const result = await change()
  // Of whom the change concerns, nobody has set anything there meanwhile.
  if (before.length > 0) await retell(tx, publish, retellingOf(before, await listSights(tx, scopes)), cause)
  return result
}

async function listSights(tx: Tx, scopes: readonly SightScope[]): Promise<TopicSight[]> {
  const sights: TopicSight[] = []
  for (const scope of scopes) for (const sight of await listTopicSights(tx, scope)) sights.push(sight)
  return sights
}

async function retell(
  tx: Tx,
  publish: Publish<'messaging'>,
  { shown, muterIds }: Retelling,
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
