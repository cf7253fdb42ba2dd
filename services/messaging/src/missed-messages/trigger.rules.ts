import {
  type ActedOnSettings,
  type NotificationTrigger,
  type PushTrigger,
  VisibilityPolicy,
} from '@tms/contracts'

/** The settings that decide; all of them would take much memory. */
export const DECISIVE_SETTINGS = [
  'enable_offline_email_notifications',
  'enable_stream_email_notifications',
  'enable_followed_topic_email_notifications',
  'enable_offline_push_notifications',
  'enable_online_push_notifications',
  'enable_stream_push_notifications',
  'enable_followed_topic_push_notifications',
  'enable_followed_topic_wildcard_mentions_notify',
  'wildcard_mentions_notify',
] as const satisfies readonly (keyof ActedOnSettings)[]

/** What decides whether a user is notified of a message by mail or on their devices, presence aside. */
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
  readonly pushNotifications: boolean | null
  readonly wildcardMentionsNotify: boolean | null
  readonly hasPushDevices: boolean
  readonly settings: Pick<ActedOnSettings, (typeof DECISIVE_SETTINGS)[number]>
}

/** Why a user is notified on their devices, and whether only while they are away. */
export interface PushDecision {
  readonly trigger: PushTrigger
  readonly onlyAway: boolean
}

/**
 * Why a user who is away is notified of a message by mail: the first reason in the order of the contract. Null if
 * the user isn't.
 */
export function decideTrigger(conditions: NotificationConditions): NotificationTrigger | null {
  const { settings } = conditions
  if (!isConcerned(conditions) || !settings.enable_offline_email_notifications) return null
  const addressed = decideAddressed(conditions)
  if (addressed !== null) return addressed
  if (isFollowed(conditions) && settings.enable_followed_topic_email_notifications)
    return 'followed_topic_email_notify'
  const wantsChannel = conditions.emailNotifications ?? settings.enable_stream_email_notifications
  return !isMutedHere(conditions) && wantsChannel ? 'stream_email_notify' : null
}

/**
 * Why a user is notified of a message on their devices: the first reason in the order of the contract. Null if the
 * user isn't. Unlike for mails, what the user asked for of a topic or channel needs only one of the two settings.
 */
export function decidePush(conditions: NotificationConditions): PushDecision | null {
  const { settings } = conditions
  if (!isConcerned(conditions) || !conditions.hasPushDevices) return null
  const { enable_offline_push_notifications: offline, enable_online_push_notifications: online } = settings
  const decided = (trigger: PushTrigger): PushDecision => ({ trigger, onlyAway: !online })
  const addressed = offline ? decideAddressed(conditions) : null
  if (addressed !== null) return decided(addressed)
  if (!offline && !online) return null
  if (isFollowed(conditions) && settings.enable_followed_topic_push_notifications)
    return decided('followed_topic_push_notify')
  const wantsChannel = conditions.pushNotifications ?? settings.enable_stream_push_notifications
  return !isMutedHere(conditions) && wantsChannel ? decided('stream_push_notify') : null
}

/** Whether anything of the message can concern the user. */
const isConcerned = ({ isBot, isSender, hasMutedSender, isRecipient }: NotificationConditions): boolean =>
  !isBot && !isSender && !hasMutedSender && isRecipient

/** How the message is addressed to the user; null if it isn't, or is by a mention of many that the user ignores. */
function decideAddressed(conditions: NotificationConditions) {
  const { settings, isDirect, isMentioned, mentionsChannel, mentionsOwnTopic } = conditions
  if (isDirect) return 'direct_message'
  // Mentions by name ignore what is muted.
  if (isMentioned) return 'mentioned'
  if (isFollowed(conditions) && settings.enable_followed_topic_wildcard_mentions_notify) {
    if (mentionsOwnTopic) return 'topic_wildcard_mentioned_in_followed_topic'
    if (mentionsChannel) return 'stream_wildcard_mentioned_in_followed_topic'
  }
  const wantsWildcards = conditions.wildcardMentionsNotify ?? settings.wildcard_mentions_notify
  if (!wantsWildcards || isMutedHere(conditions)) return null
  if (mentionsOwnTopic) return 'topic_wildcard_mentioned'
  return mentionsChannel ? 'stream_wildcard_mentioned' : null
}

const isFollowed = ({ topicPolicy }: NotificationConditions): boolean =>
  topicPolicy === VisibilityPolicy.followed

/** In a muted channel only an unmuted topic counts, not a followed one. */
function isMutedHere({ isChannelMuted, topicPolicy }: NotificationConditions): boolean {
  if (isChannelMuted && topicPolicy !== VisibilityPolicy.unmuted) return true
  return topicPolicy === VisibilityPolicy.muted
}
