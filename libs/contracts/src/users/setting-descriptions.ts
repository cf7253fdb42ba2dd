import { type SettingName, userSettings } from './settings.ts'

/** A setting that clients alone use. */
const forClients = (meaning: string): string =>
  `${meaning} Stored for clients; this service does nothing with it.`

/** A setting of the notifications that an open client shows itself. */
const shownByClients = (what: string): string =>
  forClients(`Whether an open client ${what}, from what its event queue brings.`)

const ACTIVITIES =
  '1 those in which the user takes part (sends, reacts, votes), 2 in which the user sends, 3 which the user starts, 4 none'

/** What each personal setting does, for the API document. */
const descriptions: Readonly<Record<SettingName, string>> = {
  twenty_four_hour_time: 'Whether mails and clients show times by 24 hours, rather than AM and PM.',
  dense_mode: forClients('Whether texts stand closer together.'),
  web_mark_read_on_scroll_policy: forClients(
    'Whether scrolling marks messages as read: 1 always, 2 only in views of one conversation, 3 never.',
  ),
  web_channel_default_view: forClients('What a click on a channel shows: 1 its top topic, 2 all its topics.'),
  starred_message_counts: forClients('Whether the number of starred messages is shown.'),
  receives_typing_notifications: "Whether the user's clients get `typing` events.",
  fluid_layout_width: forClients('Whether the whole width of the window is used.'),
  high_contrast_mode: forClients('Whether contrast is high.'),
  web_font_size_px: forClients('Size of text, in pixels.'),
  web_line_height_percent: forClients('Height of lines, in percent of the size of text.'),
  color_scheme: forClients('1 as on the device, 2 dark, 3 light.'),
  enable_drafts_synchronization:
    'Whether drafts are kept on the server. Off, requests for drafts are refused.',
  translate_emoticons: 'Whether emoticons such as `:)` in messages that the user sends become emoji.',
  display_emoji_reaction_users: forClients('Whether reactions show the names of those who reacted.'),
  default_language:
    "Language of the user's mails and notifications on devices (English, if they aren't translated into it), and of clients.",
  web_home_view: forClients(
    'The view to begin with: `inbox`, `recent_topics` (in newer clients `recent`), or `all_messages`.',
  ),
  web_escape_navigates_to_home_view: forClients('Whether the key Escape leads to the view to begin with.'),
  web_navigate_to_sent_message: forClients('Whether sending a message leads to its conversation.'),
  left_side_userlist: forClients('Whether users are listed on the left in narrow windows.'),
  emojiset: forClients('Which pictures of emoji are shown; `text` shows their names.'),
  demote_inactive_streams: forClients(
    'Whether channels without new messages are listed last: 1 if there are many channels, 2 always, 3 never.',
  ),
  user_list_style: forClients(
    'What the list of users shows: 1 names, 2 also statuses, 3 also pictures and statuses.',
  ),
  web_animate_image_previews: forClients('When animated pictures move: `always`, `on_hover`, or `never`.'),
  web_stream_unreads_count_display_policy: forClients(
    'Which channels show how many messages are unread: 1 all, 2 those that are not muted, 3 none.',
  ),
  enter_sends: forClients('Whether the key Enter sends a message, rather than beginning a line.'),
  email_address_visibility:
    "Who sees the user's real e-mail address: 1 everyone, 2 members and above, 5 moderators and above, 3 administrators and owners, 4 nobody.",
  web_suggest_update_timezone: forClients(
    'Whether to offer a change of `timezone` on a device in another one.',
  ),
  hide_ai_features: forClients('Whether to hide what language models do. There is nothing of the kind here.'),
  allow_private_data_export:
    'Whether an export that administrators make with the consent of users has the private messages and data of this user.',

  enable_stream_desktop_notifications: forClients(
    'Whether an open client notifies of all messages in channels whose subscription has null as `desktop_notifications`.',
  ),
  enable_stream_email_notifications:
    'Whether the user, while away, is mailed all messages in channels whose subscription has null as `email_notifications`. Without effect while `enable_offline_email_notifications` is off.',
  enable_stream_push_notifications:
    'Whether all messages appear on devices, in channels whose subscription has null as `push_notifications`. Without effect while `enable_offline_push_notifications` and `enable_online_push_notifications` are both off.',
  enable_stream_audible_notifications: forClients(
    'Whether an open client plays a sound for all messages in channels whose subscription has null as `audible_notifications`.',
  ),
  notification_sound: forClients('The sound of notifications; `none` for none.'),
  enable_desktop_notifications: shownByClients('shows notifications of direct messages and mentions'),
  enable_sounds: shownByClients('plays a sound for direct messages and mentions'),
  enable_offline_email_notifications:
    'Whether the user is mailed direct messages and mentions that come while they are away (not active for 200 s). Off, there are no mails about missed messages at all: those of channels and followed topics end too.',
  enable_offline_push_notifications:
    'Whether direct messages and mentions appear on devices: while the user is away or, with `enable_online_push_notifications`, always.',
  enable_online_push_notifications:
    'Whether notifications on devices also come while the user is active. Off, they come only while the user is away: not active for 200 s. With this and `enable_offline_push_notifications` off none come at all.',
  enable_digest_emails:
    'Whether the user gets a mail each week about what they missed in five days of absence, if the organization has `digest_emails_enabled`.',
  enable_marketing_emails:
    'Whether the user gets mails that the operators of the installation write to its users, such as that it will be down.',
  enable_login_emails:
    'Whether each sign-in is mailed to the user: on the pages, or of an app that fetches the API key. Not in the first minute of an account.',
  email_notifications_batching_period_seconds:
    'Seconds that mails about missed messages wait, so that a mail has all that comes meanwhile in its conversation. They count from the first message; a change moves mails that wait.',
  message_content_in_email_notifications:
    "Whether mails about missed messages, and digests, show texts and senders. They don't either if the organization has `message_content_allowed_in_email_notifications` off.",
  pm_content_in_desktop_notifications: forClients(
    'Whether notifications of an open client show the texts of direct messages.',
  ),
  wildcard_mentions_notify:
    'Whether mentions of everyone (`@**all**`, `@**topic**`) notify like mentions by name, by mail and on devices, where the subscription has null as `wildcard_mentions_notify`. Muted channels and topics are left out.',
  enable_followed_topic_desktop_notifications: shownByClients('notifies of all messages in followed topics'),
  enable_followed_topic_email_notifications:
    'Whether the user, while away, is mailed all messages in followed topics, also in muted channels. Without effect while `enable_offline_email_notifications` is off.',
  enable_followed_topic_push_notifications:
    'Whether all messages in followed topics appear on devices, also in muted channels. Without effect while `enable_offline_push_notifications` and `enable_online_push_notifications` are both off.',
  enable_followed_topic_audible_notifications: shownByClients(
    'plays a sound for all messages in followed topics',
  ),
  enable_followed_topic_wildcard_mentions_notify:
    'Whether mentions of everyone in followed topics notify like mentions by name, also where `wildcard_mentions_notify` is off. Off, `wildcard_mentions_notify` decides.',
  desktop_icon_count_display: forClients(
    'Which unread messages the number on the icon counts: 1 all, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 none.',
  ),
  realm_name_in_email_notifications_policy:
    'Whether subjects of mails about missed messages name the organization: 1 if the address has accounts in several, 2 always, 3 never.',
  presence_enabled:
    'Whether others see when the user is active. Off, the user counts as away also for notifications: mails come while they are active too.',
  automatically_follow_topics_policy: `Topics that the user follows from then on: ${ACTIVITIES}.`,
  automatically_unmute_topics_in_muted_streams_policy: `Topics in muted channels that are unmuted from then on: ${ACTIVITIES}.`,
  automatically_follow_topics_where_mentioned:
    'Whether the user follows topics in which they are mentioned, by name or with a group, from then on.',
  send_private_typing_notifications:
    'Whether others see that the user types a direct message. Off, such requests are refused.',
  send_stream_typing_notifications:
    'Whether others see that the user types a message to a channel. Off, such requests are refused.',
  send_read_receipts: 'Whether others see which messages the user has read.',

  quiet_hours_enabled:
    'Whether there are quiet times each week, by `quiet_hours_days` and `quiet_whole_days`, in the time zone of `timezone` (UTC without one). While there is quiet, devices stay silent and mails about missed messages wait; what is unread at the end comes as one notification for each device, and as mails. Only this service has it, and the settings that follow.',
  quiet_hours_start: 'When quiet hours begin: minutes after midnight.',
  quiet_hours_end:
    'When quiet hours end: minutes after midnight, on the next day unless that is later than `quiet_hours_start`.',
  quiet_hours_days:
    'Days on which quiet hours begin: the sum of 1 for Monday, 2 for Tuesday, 4, 8, 16, 32 and 64 for Sunday. 0 for none.',
  quiet_whole_days:
    'Days that are quiet from midnight to midnight: a sum like `quiet_hours_days`, such as 96 for the weekend. Without effect while `quiet_hours_enabled` is off.',
  quiet_until:
    'Until when there is quiet now, whatever the hours: UNIX seconds, at most 90 days from now. 0, or a time that has passed: not now.',
}

/** What a personal setting does, and its default. */
export const describeSetting = (name: SettingName): string =>
  `${descriptions[name]} Default: \`${userSettings[name].default}\`.`
