import { describe, expect, test } from 'vitest'
import { decidePush, decideTrigger, type NotificationConditions } from './trigger.rules.ts'

const settings = {
  enable_offline_email_notifications: true,
  enable_stream_email_notifications: false,
  enable_followed_topic_email_notifications: true,
  enable_offline_push_notifications: true,
  enable_online_push_notifications: true,
  enable_stream_push_notifications: false,
  enable_followed_topic_push_notifications: true,
  enable_followed_topic_wildcard_mentions_notify: true,
  wildcard_mentions_notify: true,
}
const nothing: NotificationConditions = {
  isBot: false,
  isSender: false,
  hasMutedSender: false,
  isRecipient: true,
  isDirect: false,
  isMentioned: false,
  mentionsChannel: false,
  mentionsOwnTopic: false,
  isChannelMuted: false,
  topicPolicy: null,
  emailNotifications: null,
  pushNotifications: null,
  wildcardMentionsNotify: null,
  hasPushDevices: true,
  settings,
}
const [MUTED, UNMUTED, FOLLOWED] = [1, 2, 3]

type Change = Partial<Omit<NotificationConditions, 'settings'>> & {
  readonly settings?: Partial<NotificationConditions['settings']>
}
const decide = ({ settings: chosen, ...conditions }: Change) =>
  decideTrigger({ ...nothing, ...conditions, settings: { ...settings, ...chosen } })

/** Everything that could notify at once. */
const everything: Change = {
  isMentioned: true,
  mentionsChannel: true,
  mentionsOwnTopic: true,
  topicPolicy: FOLLOWED,
  emailNotifications: true,
}

describe('a user is notified by mail', () => {
  test.each<[string, Change, string]>([
    ['of a direct message', { isDirect: true }, 'direct_message'],
    ['of a mention in a direct message as of any', { isDirect: true, isMentioned: true }, 'direct_message'],
    ['of a mention', { isMentioned: true }, 'mentioned'],
    ['of a mention before anything else', everything, 'mentioned'],
    ['of a mention in a muted channel', { isMentioned: true, isChannelMuted: true }, 'mentioned'],
    ['of a mention in a muted topic', { isMentioned: true, topicPolicy: MUTED }, 'mentioned'],
    [
      'of a topic mention in a followed topic',
      { ...everything, isMentioned: false },
      'topic_wildcard_mentioned_in_followed_topic',
    ],
    [
      'of a channel mention in a followed topic',
      { mentionsChannel: true, topicPolicy: FOLLOWED },
      'stream_wildcard_mentioned_in_followed_topic',
    ],
    [
      'of a channel mention in a followed topic of a muted channel',
      { mentionsChannel: true, topicPolicy: FOLLOWED, isChannelMuted: true },
      'stream_wildcard_mentioned_in_followed_topic',
    ],
    ['of a topic mention', { mentionsOwnTopic: true, mentionsChannel: true }, 'topic_wildcard_mentioned'],
    ['of a channel mention', { mentionsChannel: true }, 'stream_wildcard_mentioned'],
    [
      'of a channel mention in an unmuted topic of a muted channel',
      { mentionsChannel: true, isChannelMuted: true, topicPolicy: UNMUTED },
      'stream_wildcard_mentioned',
    ],
    [
      'of a channel mention that the subscription wants against the setting',
      { mentionsChannel: true, wildcardMentionsNotify: true, settings: { wildcard_mentions_notify: false } },
      'stream_wildcard_mentioned',
    ],
    [
      'of a channel mention in a followed topic by the general rule',
      {
        mentionsChannel: true,
        topicPolicy: FOLLOWED,
        settings: { enable_followed_topic_wildcard_mentions_notify: false },
      },
      'stream_wildcard_mentioned',
    ],
    ['of a followed topic', { topicPolicy: FOLLOWED }, 'followed_topic_email_notify'],
    [
      'of a followed topic in a muted channel',
      { topicPolicy: FOLLOWED, isChannelMuted: true },
      'followed_topic_email_notify',
    ],
    [
      'of a followed topic before the channel',
      { topicPolicy: FOLLOWED, emailNotifications: true },
      'followed_topic_email_notify',
    ],
    ['of a channel by its own value', { emailNotifications: true }, 'stream_email_notify'],
    [
      'of a channel by the setting',
      { settings: { enable_stream_email_notifications: true } },
      'stream_email_notify',
    ],
    [
      'of an unmuted topic of a muted channel',
      { emailNotifications: true, isChannelMuted: true, topicPolicy: UNMUTED },
      'stream_email_notify',
    ],
  ])('%s', (_, conditions, trigger) => {
    expect(decide(conditions)).toBe(trigger)
  })
})

describe('a user is not notified by mail', () => {
  test.each<[string, Change]>([
    ['of a plain message in a channel', {}],
    ['as a bot', { ...everything, isBot: true }],
    ['of an own message', { ...everything, isSender: true }],
    ['of a message of a muted user', { ...everything, hasMutedSender: true }],
    ['of a direct message of a muted user', { isDirect: true, hasMutedSender: true }],
    ['without receiving the message', { ...everything, isRecipient: false }],
    [
      'of anything with such mails turned off',
      { ...everything, settings: { enable_offline_email_notifications: false } },
    ],
    [
      'of a direct message with such mails turned off',
      { isDirect: true, settings: { enable_offline_email_notifications: false } },
    ],
    ['of a channel mention in a muted channel', { mentionsChannel: true, isChannelMuted: true }],
    ['of a topic mention in a muted topic', { mentionsOwnTopic: true, topicPolicy: MUTED }],
    [
      'of a channel mention with those turned off',
      { mentionsChannel: true, settings: { wildcard_mentions_notify: false } },
    ],
    [
      'of a channel mention that the subscription refuses',
      { mentionsChannel: true, wildcardMentionsNotify: false },
    ],
    [
      'of a channel mention in a followed topic of a muted channel without the setting for it',
      {
        mentionsChannel: true,
        topicPolicy: FOLLOWED,
        isChannelMuted: true,
        settings: {
          enable_followed_topic_wildcard_mentions_notify: false,
          enable_followed_topic_email_notifications: false,
        },
      },
    ],
    [
      'of a followed topic with those turned off',
      { topicPolicy: FOLLOWED, settings: { enable_followed_topic_email_notifications: false } },
    ],
    ['of a muted channel', { emailNotifications: true, isChannelMuted: true }],
    ['of a muted topic', { emailNotifications: true, topicPolicy: MUTED }],
    [
      'of a followed topic of a muted channel as of the channel',
      {
        emailNotifications: true,
        isChannelMuted: true,
        topicPolicy: FOLLOWED,
        settings: { enable_followed_topic_email_notifications: false },
      },
    ],
    [
      'of a channel whose subscription refuses it',
      { emailNotifications: false, settings: { enable_stream_email_notifications: true } },
    ],
  ])('%s', (_, conditions) => {
    expect(decide(conditions)).toBeNull()
  })
})

const push = ({ settings: chosen, ...conditions }: Change) =>
  decidePush({ ...nothing, ...conditions, settings: { ...settings, ...chosen } })

describe('a user is notified on devices', () => {
  test.each<[string, Change, string]>([
    ['of a direct message', { isDirect: true }, 'direct_message'],
    ['of a mention before anything else', { ...everything, pushNotifications: true }, 'mentioned'],
    ['of a mention in a muted topic', { isMentioned: true, topicPolicy: MUTED }, 'mentioned'],
    [
      'of a topic mention in a followed topic',
      { ...everything, isMentioned: false },
      'topic_wildcard_mentioned_in_followed_topic',
    ],
    [
      'of a channel mention in a followed topic of a muted channel',
      { mentionsChannel: true, topicPolicy: FOLLOWED, isChannelMuted: true },
      'stream_wildcard_mentioned_in_followed_topic',
    ],
    ['of a topic mention', { mentionsOwnTopic: true, mentionsChannel: true }, 'topic_wildcard_mentioned'],
    ['of a channel mention', { mentionsChannel: true }, 'stream_wildcard_mentioned'],
    [
      'of a followed topic in a muted channel',
      { topicPolicy: FOLLOWED, isChannelMuted: true },
      'followed_topic_push_notify',
    ],
    ['of a channel by its own value', { pushNotifications: true }, 'stream_push_notify'],
    [
      'of a channel by the setting',
      { settings: { enable_stream_push_notifications: true } },
      'stream_push_notify',
    ],
    [
      'of a followed topic with direct messages and mentions turned off',
      { topicPolicy: FOLLOWED, settings: { enable_offline_push_notifications: false } },
      'followed_topic_push_notify',
    ],
    [
      'of a followed topic by a mention, with mentions turned off',
      { ...everything, settings: { enable_offline_push_notifications: false } },
      'followed_topic_push_notify',
    ],
    [
      'of a channel with direct messages and mentions turned off',
      { pushNotifications: true, settings: { enable_offline_push_notifications: false } },
      'stream_push_notify',
    ],
    [
      'whatever is turned off for mails',
      { isDirect: true, settings: { enable_offline_email_notifications: false } },
      'direct_message',
    ],
  ])('%s', (_, conditions, trigger) => {
    expect(push(conditions)).toEqual({ trigger, onlyAway: false })
  })

  test.each<[string, Change, string]>([
    ['of a direct message', { isDirect: true }, 'direct_message'],
    ['of a followed topic', { topicPolicy: FOLLOWED }, 'followed_topic_push_notify'],
    ['of a channel', { pushNotifications: true }, 'stream_push_notify'],
  ])('%s only while away, without the setting for other times', (_, conditions, trigger) => {
    const chosen = { settings: { enable_online_push_notifications: false } }
    expect(push({ ...conditions, ...chosen })).toEqual({ trigger, onlyAway: true })
  })
})

describe('a user is not notified on devices', () => {
  const neither = { enable_offline_push_notifications: false, enable_online_push_notifications: false }
  test.each<[string, Change]>([
    ['of a plain message in a channel', {}],
    ['without having one', { ...everything, hasPushDevices: false }],
    ['as a bot', { ...everything, isBot: true }],
    ['of an own message', { ...everything, isSender: true }],
    ['of a message of a muted user', { ...everything, hasMutedSender: true }],
    ['without receiving the message', { ...everything, isRecipient: false }],
    [
      'of a direct message with those turned off',
      { isDirect: true, settings: { enable_offline_push_notifications: false } },
    ],
    ['of a followed topic with everything turned off', { topicPolicy: FOLLOWED, settings: neither }],
    ['of a channel with everything turned off', { pushNotifications: true, settings: neither }],
    [
      'of a followed topic with those turned off',
      { topicPolicy: FOLLOWED, settings: { enable_followed_topic_push_notifications: false } },
    ],
    ['of a channel mention in a muted channel', { mentionsChannel: true, isChannelMuted: true }],
    [
      'of a channel mention with those turned off',
      { mentionsChannel: true, settings: { wildcard_mentions_notify: false } },
    ],
    ['of a muted channel', { pushNotifications: true, isChannelMuted: true }],
    ['of a muted topic', { pushNotifications: true, topicPolicy: MUTED }],
    [
      'of a channel whose subscription refuses it',
      { pushNotifications: false, settings: { enable_stream_push_notifications: true } },
    ],
    ['because mails are wanted', { emailNotifications: true }],
  ])('%s', (_, conditions) => {
    expect(push(conditions)).toBeNull()
  })
})
