import type { MutedTopic, UserTopic } from '@tms/contracts'

/** How someone who has set something for topics of a channel stands to it. */
export interface TopicSight {
  readonly userId: number
  readonly channelId: number
  readonly name: string
  readonly isInSight: boolean
  /** Whether a topic there is muted. */
  readonly isMuting: boolean
}

/** What is to be told anew. */
export interface Retelling {
  /** Channels that came into sight of users who have set something there. */
  readonly shown: readonly { readonly userId: number; readonly channelId: number }[]
  /** Users of whom the list of muted topics is another. */
  readonly muterIds: readonly number[]
}

/** What a change means for those who have set something for topics; both sides are about the same users and channels. */
export function retellingOf(before: readonly TopicSight[], after: readonly TopicSight[]): Retelling {
  const keyOf = ({ userId, channelId }: TopicSight) => `${userId} ${channelId}`
  const earlier = new Map(before.map((sight) => [keyOf(sight), sight]))
  const pairs = after.map((now) => ({ now, was: earlier.get(keyOf(now)) ?? now }))
  const isRenamed = ({ now, was }: (typeof pairs)[number]) => now.isInSight && now.name !== was.name
  const listed = pairs.filter((pair) => pair.now.isInSight !== pair.was.isInSight || isRenamed(pair))
  const muters = listed.filter(({ now }) => now.isMuting)
  return {
    shown: listed.filter(({ now, was }) => now.isInSight && !was.isInSight).map(({ now }) => now),
    muterIds: [...new Set(muters.map(({ now }) => now.userId))].sort((a, b) => a - b),
  }
}

/** What one event tells a user. */
export interface RefreshedTopics {
  readonly user_id: number
  readonly shown: UserTopic[]
  readonly muted_topics: MutedTopic[] | null
}

/** Topics in one event: each that is shown is a client event, of which one becomes 2,048 at most. */
const MAX_TOPICS = 1_000

/** Parts that fit into an event each. Only a list of muted topics, which must be whole, may make one larger. */
export function refreshParts(users: readonly RefreshedTopics[]): RefreshedTopics[][] {
  const parts: RefreshedTopics[][] = []
  let size = MAX_TOPICS
  for (const slice of users.flatMap(slicesOf)) {
    const weight = 1 + slice.shown.length + (slice.muted_topics?.length ?? 0)
    if (size + weight > MAX_TOPICS) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(slice)
    size += weight
  }
  return parts
}

function slicesOf({ user_id, shown, muted_topics }: RefreshedTopics): RefreshedTopics[] {
  const slices: RefreshedTopics[] = [{ user_id, shown: shown.slice(0, MAX_TOPICS), muted_topics }]
  for (let start = MAX_TOPICS; start < shown.length; start += MAX_TOPICS) {
    slices.push({ user_id, shown: shown.slice(start, start + MAX_TOPICS), muted_topics: null })
  }
  return slices
}
