import type { MutedTopic, UserTopic } from '@tms/contracts'

/** Whether a user with topic policies in a channel sees it. */
export interface TopicVisibility {
  readonly userId: number
  readonly channelId: number
  readonly name: string
  readonly isVisible: boolean
  /** A topic there is muted. */
  readonly isMuting: boolean
}

/** What has to be published again. */
export interface TopicRefresh {
  /** Channels that became visible to users with topic policies there. */
  readonly shown: readonly { readonly userId: number; readonly channelId: number }[]
  /** Users whose list of muted topics changed. */
  readonly muterIds: readonly number[]
}

/** Computes what a change means for users with topic policies. Both lists contain the same users and channels. */
export function computeTopicRefresh(
  before: readonly TopicVisibility[],
  after: readonly TopicVisibility[],
): TopicRefresh {
  const keyOf = ({ userId, channelId }: TopicVisibility) => `${userId} ${channelId}`
  const earlier = new Map(before.map((visibility) => [keyOf(visibility), visibility]))
  const pairs = after.map((current) => ({ current, previous: earlier.get(keyOf(current)) ?? current }))
  const isRenamed = ({ current, previous }: (typeof pairs)[number]) =>
    current.isVisible && current.name !== previous.name
  const listed = pairs.filter((pair) => pair.current.isVisible !== pair.previous.isVisible || isRenamed(pair))
  const muters = listed.filter(({ current }) => current.isMuting)
  return {
    shown: listed
      .filter(({ current, previous }) => current.isVisible && !previous.isVisible)
      .map(({ current }) => current),
    muterIds: [...new Set(muters.map(({ current }) => current.userId))].sort((a, b) => a - b),
  }
}

/** The part of an event for one user. */
export interface RefreshedTopics {
  readonly user_id: number
  readonly shown: UserTopic[]
  readonly muted_topics: MutedTopic[] | null
}

/**
 * Topics in one event. Each of them becomes a client event, and one event becomes 2,048 client events at most.
 */
const MAX_TOPICS = 1_000

/**
 * Divides the parts into events. Only a list of muted topics, which must be complete, may make an event larger.
 */
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
