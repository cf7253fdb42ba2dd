import { languages } from './languages.ts'
import { notificationSounds } from './notification-sounds.ts'

/** Who may see a delivery e-mail. */
export const EmailVisibility = {
  everyone: 1,
  members: 2,
  administrators: 3,
  nobody: 4,
  moderators: 5,
} as const

/**
 * Fetch and event types under which clients without the capability `user_settings_object` know a setting. Newer
 * settings have none.
 */
export type LegacyType = 'update_display_settings' | 'update_global_notifications'

export type SettingValue = boolean | number | string

/** The default of a setting, and its other values. */
export interface SettingDefinition {
  readonly default: SettingValue
  /** The values to choose from, or the bounds of an integer; absent: any of the default's type. */
  readonly allowed?: readonly SettingValue[] | { readonly min: number; readonly max: number }
  /** Other names of values, which requests may use. */
  readonly aliases?: Readonly<Record<string, SettingValue>>
  readonly legacyType?: LegacyType
}

/** Sets of weekdays are integers: bit 0 is Monday. */
const weekdays = { min: 0, max: 127 } as const
/** Minutes after midnight. */
const minuteOfDay = { min: 0, max: 1_439 } as const
/** The end of the year 2099, in UNIX seconds. */
const MAX_TIME = 4_102_444_799

const display = 'update_display_settings'
const notification = 'update_global_notifications'

/**
 * Every personal setting beside the time zone, which others see and which is a column of the account. `describeSetting`
 * says what each does.
 */
export const userSettings = {
  twenty_four_hour_time: { default: false, legacyType: display },
  dense_mode: { default: true, legacyType: display },
  web_mark_read_on_scroll_policy: { default: 1, allowed: [1, 2, 3] },
  web_channel_default_view: { default: 1, allowed: [1, 2] },
  starred_message_counts: { default: true, legacyType: display },
  receives_typing_notifications: { default: true },
  fluid_layout_width: { default: false, legacyType: display },
  high_contrast_mode: { default: false, legacyType: display },
  web_font_size_px: { default: 14, allowed: { min: 6, max: 100 } },
  web_line_height_percent: { default: 122, allowed: { min: 50, max: 500 } },
  color_scheme: { default: 1, allowed: [1, 2, 3], legacyType: display },
  enable_drafts_synchronization: { default: true, legacyType: display },
  translate_emoticons: { default: false, legacyType: display },
  display_emoji_reaction_users: { default: true },
  default_language: { default: 'en', allowed: languages, legacyType: display },
  web_home_view: {
    default: 'inbox',
    allowed: ['recent_topics', 'inbox', 'all_messages'],
    // The name of the value in newer clients.
    aliases: { recent: 'recent_topics' },
    legacyType: display,
  },
  web_escape_navigates_to_home_view: { default: true },
  web_navigate_to_sent_message: { default: true },
  left_side_userlist: { default: false, legacyType: display },
  emojiset: {
    default: 'google',
    allowed: ['google', 'google-blob', 'twitter', 'text'],
    legacyType: display,
  },
  demote_inactive_streams: { default: 1, allowed: [1, 2, 3], legacyType: display },
  user_list_style: { default: 2, allowed: [1, 2, 3] },
  web_animate_image_previews: { default: 'on_hover', allowed: ['always', 'on_hover', 'never'] },
  web_stream_unreads_count_display_policy: { default: 2, allowed: [1, 2, 3] },
  enter_sends: { default: false, legacyType: display },
  email_address_visibility: { default: EmailVisibility.everyone, allowed: Object.values(EmailVisibility) },
  web_suggest_update_timezone: { default: true },
  hide_ai_features: { default: false },
  allow_private_data_export: { default: false },

  enable_stream_desktop_notifications: { default: false, legacyType: notification },
  enable_stream_email_notifications: { default: false, legacyType: notification },
  enable_stream_push_notifications: { default: false, legacyType: notification },
  enable_stream_audible_notifications: { default: false, legacyType: notification },
  notification_sound: {
    default: 'zulip',
    allowed: [...notificationSounds, 'none'],
    legacyType: notification,
  },
  enable_desktop_notifications: { default: true, legacyType: notification },
  enable_sounds: { default: true, legacyType: notification },
  enable_offline_email_notifications: { default: true, legacyType: notification },
  enable_offline_push_notifications: { default: true, legacyType: notification },
  enable_online_push_notifications: { default: true, legacyType: notification },
  enable_digest_emails: { default: true, legacyType: notification },
  enable_marketing_emails: { default: true, legacyType: notification },
  enable_login_emails: { default: true, legacyType: notification },
  email_notifications_batching_period_seconds: {
    default: 120,
    allowed: { min: 1, max: 604_800 },
    legacyType: notification,
  },
  message_content_in_email_notifications: { default: true, legacyType: notification },
  pm_content_in_desktop_notifications: { default: true, legacyType: notification },
  wildcard_mentions_notify: { default: true, legacyType: notification },
  enable_followed_topic_desktop_notifications: { default: true },
  enable_followed_topic_email_notifications: { default: true },
  enable_followed_topic_push_notifications: { default: true },
  enable_followed_topic_audible_notifications: { default: true },
  enable_followed_topic_wildcard_mentions_notify: { default: true },
  desktop_icon_count_display: { default: 1, allowed: [1, 2, 3, 4], legacyType: notification },
  realm_name_in_email_notifications_policy: { default: 1, allowed: [1, 2, 3], legacyType: notification },
  presence_enabled: { default: true, legacyType: notification },
  automatically_follow_topics_policy: { default: 3, allowed: [1, 2, 3, 4] },
  automatically_unmute_topics_in_muted_streams_policy: { default: 2, allowed: [1, 2, 3, 4] },
  automatically_follow_topics_where_mentioned: { default: true },
  send_private_typing_notifications: { default: true },
  send_stream_typing_notifications: { default: true },
  send_read_receipts: { default: true },

  quiet_hours_enabled: { default: false },
  quiet_hours_start: { default: 1_320, allowed: minuteOfDay },
  quiet_hours_end: { default: 420, allowed: minuteOfDay },
  quiet_hours_days: { default: 127, allowed: weekdays },
  quiet_whole_days: { default: 0, allowed: weekdays },
  quiet_until: { default: 0, allowed: { min: 0, max: MAX_TIME } },
} as const satisfies Record<string, SettingDefinition>
export type SettingName = keyof typeof userSettings

/** Settings whose default only the server decides. Nobody agrees to an export of private data by a default, and a time passes. */
const notDefaultable = [
  'allow_private_data_export',
  'default_language',
  'enable_login_emails',
  'enable_marketing_emails',
  'quiet_until',
] as const
export type DefaultableSetting = Exclude<SettingName, (typeof notDefaultable)[number]>

/** Whether an organization chooses the default of this setting for its new accounts. */
export function isDefaultable(name: SettingName): name is DefaultableSetting {
  return !(notDefaultable as readonly string[]).includes(name)
}

/** The definitions as a list. */
export const settingDefinitions = Object.entries(userSettings) as [SettingName, SettingDefinition][]

/**
 * The event type under which older clients know a setting; undefined for newer ones. The time zone is a display
 * setting.
 */
export function legacyTypeOf(name: string): LegacyType | undefined {
  return name === 'timezone' ? display : (userSettings as Record<string, SettingDefinition>)[name]?.legacyType
}
