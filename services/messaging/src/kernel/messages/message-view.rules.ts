import type { MessageFlag } from '@tms/contracts'
import type { MessageView } from './message-view.queries.ts'

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
