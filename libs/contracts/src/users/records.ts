import { z } from 'zod'

/** A user as other users see it (API document, "User"). */
export const userRecord = z.object({
  user_id: z.int(),
  email: z.string(),
  delivery_email: z.string().nullable(),
  full_name: z.string(),
  role: z.int(),
  is_owner: z.boolean(),
  is_admin: z.boolean(),
  is_guest: z.boolean(),
  is_billing_admin: z.boolean(),
  is_bot: z.boolean(),
  bot_type: z.int().nullable(),
  bot_owner_id: z.int().nullable().optional(),
  /** Only the organization's own bots have it. */
  is_system_bot: z.boolean().optional(),
  timezone: z.string(),
  /** ISO 8601, UTC with offset. */
  date_joined: z.string(),
  avatar_url: z.string().nullable(),
  avatar_version: z.int(),
  profile_data: z
    .record(z.string(), z.object({ value: z.string(), rendered_value: z.string().optional() }))
    .optional(),
})
export type UserRecord = z.output<typeof userRecord>

/** A user with `is_active`, which lists include and register's two lists don't. */
export const userWithActivity = userRecord.extend({ is_active: z.boolean() })
export type UserWithActivity = z.output<typeof userWithActivity>

/** A muted user, and since when (UNIX seconds). */
export const mutedUser = z.object({ id: z.int(), timestamp: z.int() })
export type MutedUser = z.output<typeof mutedUser>

/** A changed setting; `language_name` is English and only with `default_language`. */
export const settingChange = z.object({
  property: z.string(),
  value: z.union([z.boolean(), z.int(), z.string()]),
  language_name: z.string().optional(),
})
export type SettingChange = z.output<typeof settingChange>

/** The personal settings that other services use; those that the user hasn't chosen are the defaults. */
export const actedOnSettings = z.object({
  translate_emoticons: z.boolean(),
  enable_drafts_synchronization: z.boolean(),
  receives_typing_notifications: z.boolean(),
  send_private_typing_notifications: z.boolean(),
  send_stream_typing_notifications: z.boolean(),
  send_read_receipts: z.boolean(),
  /** Whether exports of the scope `consent` have what the user may see. */
  allow_private_data_export: z.boolean().default(false),
  /** 1 on participation, 2 on sending, 3 on starting a topic, 4 never. */
  automatically_follow_topics_policy: z.int(),
  automatically_unmute_topics_in_muted_streams_policy: z.int(),
  automatically_follow_topics_where_mentioned: z.boolean(),
  /** Defaults for subscriptions without a setting of their own. */
  enable_stream_desktop_notifications: z.boolean().default(false),
  enable_stream_audible_notifications: z.boolean().default(false),
  enable_stream_push_notifications: z.boolean().default(false),
  enable_stream_email_notifications: z.boolean().default(false),
  /** What mails about missed messages there are, and after how many seconds. */
  enable_offline_email_notifications: z.boolean().default(true),
  wildcard_mentions_notify: z.boolean().default(true),
  enable_followed_topic_email_notifications: z.boolean().default(true),
  enable_followed_topic_wildcard_mentions_notify: z.boolean().default(true),
  email_notifications_batching_period_seconds: z.int().default(120),
  /** What appears on devices. */
  enable_offline_push_notifications: z.boolean().default(true),
  enable_online_push_notifications: z.boolean().default(true),
  enable_followed_topic_push_notifications: z.boolean().default(true),
  /** When devices are silent and mails wait. */
  quiet_hours_enabled: z.boolean().default(false),
  quiet_hours_start: z.int().optional(),
  quiet_hours_end: z.int().optional(),
  quiet_hours_days: z.int().optional(),
  quiet_whole_days: z.int().optional(),
  quiet_until: z.int().optional(),
})
export type ActedOnSettings = z.output<typeof actedOnSettings>

/**
 * What other services project of a user. `version` increases with every change of the user, so a projection that
 * keeps the highest version is right in whatever order projections arrive.
 */
export const userProjection = z.object({
  user_id: z.int(),
  realm_id: z.int(),
  email: z.string(),
  full_name: z.string(),
  role: z.int(),
  is_bot: z.boolean(),
  is_active: z.boolean(),
  /** URL of the avatar; the same for clients that compute gravatars and those that don't. */
  avatar_url: z.string(),
  /** True if a client that requested `client_gravatar` computes the avatar from the e-mail itself. */
  is_gravatar: z.boolean(),
  /** UNIX seconds; determines whether the user is a full member. */
  date_joined: z.int(),
  bot_owner_id: z.int().nullable(),
  /** A `BotType`; null for people. Absent in projections of older releases. */
  bot_type: z.int().nullable().optional(),
  /** The organization's notification bot. */
  is_system_bot: z.boolean(),
  /** Who may see the delivery e-mail: an `EmailVisibility`. */
  email_address_visibility: z.int(),
  settings: actedOnSettings,
  /** Empty: none chosen. Absent in projections of older releases. */
  timezone: z.string().optional(),
  alert_words: z.array(z.string()),
  muted_user_ids: z.array(z.int()),
  /** Whether notifications can be sent to a device of the user. Absent in projections of older releases. */
  has_push_devices: z.boolean().optional(),
  version: z.int(),
})
export type UserProjection = z.output<typeof userProjection>
