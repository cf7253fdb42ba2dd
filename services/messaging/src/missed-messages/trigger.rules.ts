import { type ActedOnSettings, type NotificationTrigger, VisibilityPolicy } from '@tms/contracts'

/** What decides whether a user is notified of a message by mail, presence aside. */
export interface NotificationConditions {
  readonly isBot: boolean
  readonly isSender: boolean
  readonly hasMutedSender: boolean
  /** A member of the direct conversation, or a subscriber of the channel. */
  readonly isRecipient: boolean
  readonly isDirect: boolean
  /** By name, or by a group that the user is in; not silently. */
  readonly isMentioned: boolean
  /** The message mentions everyone in the channel. */
  readonly mentionsChannel: boolean
  /** The message mentions its topic, and the user is a participant of that. */
  readonly mentionsOwnTopic: boolean
  readonly isChannelMuted: boolean
  /** The user's policy for the topic; null if there is none. */
  readonly topicPolicy: number | null
  /** The subscription's own values; null means as in the settings. */
  readonly emailNotifications: boolean | null
  readonly wildcardMentionsNotify: boolean | null
  readonly settings: Pick<
    ActedOnSettings,
    | 'enable_offline_email_notifications'
    | 'enable_stream_email_notifications'
    | 'enable_followed_topic_email_notifications'
    | 'enable_followed_topic_wildcard_mentions_notify'
    | 'wildcard_mentions_notify'
  >
}

/**
 * Why a user who is away is notified of a message by mail: the first reason in the order of the contract. Null if
 * the user isn't.
 */
export function decideTrigger(conditions: NotificationConditions): NotificationTrigger | null {
  const { settings, isDirect, isMentioned, mentionsChannel, mentionsOwnTopic } = conditions
  if (conditions.isBot || conditions.isSender || conditions.hasMutedSender || !conditions.isRecipient)
    return null
  if (!settings.enable_offline_email_notifications) return null
  if (isDirect) return 'direct_message'
  // Mentions by name ignore what is muted.
  if (isMentioned) return 'mentioned'

  const isFollowed = conditions.topicPolicy === VisibilityPolicy.followed
  if (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify) {
    if (mentionsOwnTopic) return 'topic_wildcard_mentioned_in_followed_topic'
    if (mentionsChannel) return 'stream_wildcard_mentioned_in_followed_topic'
  }
  const isMuted = isMutedHere(conditions)
  if (!isMuted && (conditions.wildcardMentionsNotify ?? settings.wildcard_mentions_notify)) {
    if (mentionsOwnTopic) return 'topic_wildcard_mentioned'
    if (mentionsChannel) return 'stream_wildcard_mentioned'
  }
  if (isFollowed && settings.enable_followed_topic_email_notifications) return 'followed_topic_email_notify'
  const wantsChannel = conditions.emailNotifications ?? settings.enable_stream_email_notifications
  return !isMuted && wantsChannel ? 'stream_email_notify' : null
}

/** In a muted channel only an unmuted topic counts, not a followed one. */
function isMutedHere({ isChannelMuted, topicPolicy }: NotificationConditions): boolean {
  if (isChannelMuted && topicPolicy !== VisibilityPolicy.unmuted) return true
  return topicPolicy === VisibilityPolicy.muted
}
