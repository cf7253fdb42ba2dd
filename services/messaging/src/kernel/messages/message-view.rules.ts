import type { MessageFlag } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { canAccessChannel, canReadHistory } from '../access/channel.rules.ts'
import type { MessageView, ViewedChannel } from './message-view.queries.ts'

type Flags = Pick<
  MessageView,
  | 'isReceived'
  | 'isRead'
  | 'isStarred'
  | 'isCollapsed'
  | 'isMentioned'
  | 'mentionsChannel'
  | 'mentionsOwnTopic'
  | 'hasAlertWord'
  | 'isHistorical'
>

/**
 * Returns the flags of the user on a message. A wildcard mention doesn't mention users who only find the message
 * in the history.
 */
export function flagsOf(view: Flags): MessageFlag[] {
  const isHistorical = view.isHistorical || !view.isReceived
  const forChannel = view.mentionsChannel && !isHistorical
  const forTopic = view.mentionsOwnTopic && !isHistorical
  const flags: [MessageFlag, boolean][] = [
    ['read', view.isRead],
    ['starred', view.isStarred],
    ['collapsed', view.isCollapsed],
    ['mentioned', view.isMentioned],
    ['stream_wildcard_mentioned', forChannel],
    ['topic_wildcard_mentioned', forTopic],
    ['has_alert_word', view.hasAlertWord],
    ['historical', isHistorical],
    ['wildcard_mentioned', forChannel || forTopic],
  ]
  return flags.filter(([, isSet]) => isSet).map(([flag]) => flag)
}

/** Whether an unread message counts as a mention. A wildcard mention doesn't count where messages are muted. */
export function countsAsMention(message: {
  readonly isMentioned: boolean
  readonly isWildcard: boolean
  readonly isMuted: boolean
}): boolean {
  return message.isMentioned || (message.isWildcard && !message.isMuted)
}

/**
 * Whether a user may see a message by its ID: any message of a channel that the user may enter; with shared
 * history, any message while subscribed; with protected history, only received messages, while subscribed.
 */
export function canSeeMessage(
  caller: Pick<Caller, 'role'>,
  view: Pick<MessageView, 'isReceived' | 'isHistorical'> & { readonly channel: Openness | null },
): boolean {
  const { channel } = view
  if (!channel) return view.isReceived
  const membership = { isActive: channel.isSubscribed }
  if (canReadHistory(caller, channel, membership)) return true
  return canAccessChannel(caller, channel, membership) && (view.isReceived || view.isHistorical)
}

type Openness = Pick<
  ViewedChannel,
  'inviteOnly' | 'isWebPublic' | 'historyPublicToSubscribers' | 'isSubscribed'
>
