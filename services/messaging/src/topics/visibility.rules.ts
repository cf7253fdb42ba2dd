import { type ActedOnSettings, type UserProjection, VisibilityPolicy } from '@tms/contracts'
import type { TopicPolicy } from './topic-policy.queries.ts'

/**
 * Activities that may change a user's policy for a topic: reacting or adding a submessage, sending, sending the
 * first message, and being mentioned by name or group.
 */
export type TopicActivity = 'participate' | 'send' | 'start' | 'mentioned'

/** The highest automatic policy for which an activity suffices; 4 means never. */
const MAX_POLICY: Readonly<Record<Exclude<TopicActivity, 'mentioned'>, number>> = {
  participate: 1,
  send: 2,
  start: 3,
}

export type TopicUser = Pick<UserProjection, 'is_bot'> & {
  readonly settings: Pick<
    ActedOnSettings,
    | 'automatically_follow_topics_policy'
    | 'automatically_unmute_topics_in_muted_streams_policy'
    | 'automatically_follow_topics_where_mentioned'
  >
}

/**
 * Returns the policy of a user for a topic after an activity, or null if it stays. Following has priority over
 * unmuting, and an existing "followed" stays. Applies to subscribers; bots have no automatic policies.
 */
export function nextVisibility(
  { is_bot, settings }: TopicUser,
  activity: TopicActivity,
  { current, isChannelMuted }: TopicPolicy,
): VisibilityPolicy | null {
  if (is_bot || current === VisibilityPolicy.followed) return null
  if (activity === 'mentioned') {
    const follows = settings.automatically_follow_topics_where_mentioned && current !== VisibilityPolicy.muted
    return follows ? VisibilityPolicy.followed : null
  }
  const maxPolicy = MAX_POLICY[activity]
  if (settings.automatically_follow_topics_policy <= maxPolicy) return VisibilityPolicy.followed
  const unmutes = isChannelMuted && settings.automatically_unmute_topics_in_muted_streams_policy <= maxPolicy
  return unmutes && current !== VisibilityPolicy.unmuted ? VisibilityPolicy.unmuted : null
}

/** Whether an activity could change anything in any topic. Mostly it can't, and then the topic isn't read. */
export function canChangePolicy(user: TopicUser, activity: TopicActivity): boolean {
  return nextVisibility(user, activity, { current: VisibilityPolicy.none, isChannelMuted: true }) !== null
}

/** An activity of a user in a topic, or a mention of the user there. */
export interface UserActivity {
  readonly user: TopicUser & Pick<UserProjection, 'user_id'>
  readonly activity: TopicActivity
}

/** The policies of users that change by what they do in a topic. `policies` has those of the channel's subscribers. */
export function nextPolicies(
  activities: readonly UserActivity[],
  policies: ReadonlyMap<number, TopicPolicy>,
): Map<number, VisibilityPolicy> {
  const next = new Map<number, VisibilityPolicy>()
  for (const { user, activity } of activities) {
    const policy = policies.get(user.user_id)
    const visibility = policy ? nextVisibility(user, activity, policy) : null
    if (visibility !== null) next.set(user.user_id, visibility)
  }
  return next
}
