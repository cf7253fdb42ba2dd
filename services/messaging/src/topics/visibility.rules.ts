import { type ActedOnSettings, type UserProjection, VisibilityPolicy } from '@tms/contracts'

/**
 * What may make someone want to see a topic another way: reacting or adding a submessage, sending, sending its
 * first message, and being mentioned by name or through a group.
 */
export type Act = 'participate' | 'send' | 'start' | 'mentioned'

/** The highest value of an automatic policy that an act is enough for; 4 stands for never. */
const REACH: Readonly<Record<Exclude<Act, 'mentioned'>, number>> = { participate: 1, send: 2, start: 3 }

export type Actor = Pick<UserProjection, 'is_bot'> & {
  readonly settings: Pick<
    ActedOnSettings,
    | 'automatically_follow_topics_policy'
    | 'automatically_unmute_topics_in_muted_streams_policy'
    | 'automatically_follow_topics_where_mentioned'
  >
}

interface PolicySubject {
  readonly current: number
  readonly isChannelMuted: boolean
}

/**
 * How someone wants to see a topic after an act, or null where that stays. Following beats unmuting, and who
 * follows goes on to. Only for subscribers; bots want nothing.
 */
export function nextVisibility(
  { is_bot, settings }: Actor,
  act: Act,
  { current, isChannelMuted }: PolicySubject,
): VisibilityPolicy | null {
  if (is_bot || current === VisibilityPolicy.followed) return null
  if (act === 'mentioned') {
    const follows = settings.automatically_follow_topics_where_mentioned && current !== VisibilityPolicy.muted
    return follows ? VisibilityPolicy.followed : null
  }
  const reach = REACH[act]
  if (settings.automatically_follow_topics_policy <= reach) return VisibilityPolicy.followed
  const unmutes = isChannelMuted && settings.automatically_unmute_topics_in_muted_streams_policy <= reach
  return unmutes && current !== VisibilityPolicy.unmuted ? VisibilityPolicy.unmuted : null
}

/** Whether an act could change anything, wherever it happens: most change nothing, and need no look at the topic. */
export function couldChange(user: Actor, act: Act): boolean {
  return nextVisibility(user, act, { current: VisibilityPolicy.none, isChannelMuted: true }) !== null
}
