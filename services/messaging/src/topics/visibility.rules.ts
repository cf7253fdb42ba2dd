import { type ActedOnSettings, type UserFacts, VisibilityPolicy } from '@tms/contracts'

/** What someone does in a topic: reacts or adds a submessage, sends a message, or sends its first. */
export type Act = 'participate' | 'send' | 'start'

/** The highest value of an automatic policy that an act is enough for; 4 stands for never. */
const REACH: Readonly<Record<Act, number>> = { participate: 1, send: 2, start: 3 }

type Actor = Pick<UserFacts, 'is_bot'> & {
  readonly settings: Pick<
    ActedOnSettings,
    'automatically_follow_topics_policy' | 'automatically_unmute_topics_in_muted_streams_policy'
  >
}

/**
 * How someone wants to see a topic after what they did in it, or null where that stays. Following beats
 * unmuting, and who follows goes on to. Only for subscribers; bots want nothing.
 */
export function nextVisibility(
  { is_bot, settings }: Actor,
  act: Act,
  topic: { readonly current: number; readonly isChannelMuted: boolean },
): VisibilityPolicy | null {
  if (is_bot || topic.current === VisibilityPolicy.followed) return null
  const reach = REACH[act]
  if (settings.automatically_follow_topics_policy <= reach) return VisibilityPolicy.followed
  const unmutes =
    topic.isChannelMuted && settings.automatically_unmute_topics_in_muted_streams_policy <= reach
  return unmutes && topic.current !== VisibilityPolicy.unmuted ? VisibilityPolicy.unmuted : null
}

/** Whether a subscriber who is mentioned, by name or through a group, follows the topic from then on. */
export function followsWhenMentioned(
  {
    is_bot,
    settings,
  }: {
    readonly is_bot: boolean
    readonly settings: Pick<ActedOnSettings, 'automatically_follow_topics_where_mentioned'>
  },
  current: number,
): boolean {
  const isOpen = current === VisibilityPolicy.none || current === VisibilityPolicy.unmuted
  return isOpen && !is_bot && settings.automatically_follow_topics_where_mentioned
}
