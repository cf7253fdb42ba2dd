import { z } from 'zod'
import type { SystemGroupName } from '../system-groups.ts'

const policy = (...values: number[]) => z.literal(values)
/** -1 is nowhere. */
const channelId = z.int().min(-1)

/** Lengths that the texts of an organization may have, in characters. */
export const realmLimits = {
  maxNameLength: 40,
  maxDescriptionLength: 1_000,
  maxUrlLength: 200,
} as const

/** Settings that are whole numbers, or truths: the values that each takes, by its name on the wire. */
export const plainRealmSettings = {
  add_custom_emoji_policy: policy(1, 2, 3, 4),
  bot_creation_policy: policy(1, 2, 3),
  create_public_stream_policy: policy(1, 2, 3, 4),
  create_private_stream_policy: policy(1, 2, 3, 4),
  create_web_public_stream_policy: policy(2, 4, 6, 7),
  delete_own_message_policy: policy(1, 2, 3, 4, 5),
  edit_topic_policy: policy(1, 2, 3, 4, 5, 6),
  invite_to_realm_policy: policy(1, 2, 3, 4, 6),
  invite_to_stream_policy: policy(1, 2, 3, 4),
  move_messages_between_streams_policy: policy(1, 2, 3, 4, 6),
  private_message_policy: policy(1, 2),
  user_group_edit_policy: policy(1, 2, 3, 4),
  wildcard_mention_policy: policy(1, 2, 3, 5, 6, 7),

  allow_edit_history: z.boolean(),
  allow_message_editing: z.boolean(),
  avatar_changes_disabled: z.boolean(),
  digest_emails_enabled: z.boolean(),
  disallow_disposable_email_addresses: z.boolean(),
  email_changes_disabled: z.boolean(),
  emails_restricted_to_domains: z.boolean(),
  enable_guest_user_indicator: z.boolean(),
  enable_read_receipts: z.boolean(),
  enable_spectator_access: z.boolean(),
  inline_image_preview: z.boolean(),
  inline_url_embed_preview: z.boolean(),
  invite_required: z.boolean(),
  mandatory_topics: z.boolean(),
  message_content_allowed_in_email_notifications: z.boolean(),
  name_changes_disabled: z.boolean(),
  require_unique_names: z.boolean(),
  send_welcome_emails: z.boolean(),
  want_advertise_in_communities_directory: z.boolean(),

  digest_weekday: z.int().min(0).max(6),
  giphy_rating: z.int().min(0).max(5),
  org_type: policy(0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000),
  video_chat_provider: policy(0, 1, 4),

  new_stream_announcements_stream_id: channelId,
  signup_announcements_stream_id: channelId,
  zulip_update_announcements_stream_id: channelId,
} as const
export type PlainRealmSetting = keyof typeof plainRealmSettings

/** Settings that no service acts on, and why it is right that they are only kept and told: clients do. */
export const settingsForClients = {
  digest_emails_enabled: 'Kept for clients; no digests are sent, which `settings_send_digest_emails` says.',
  digest_weekday: '0 is Monday. Kept for clients; no digests are sent.',
  enable_guest_user_indicator: 'Whether clients mark guests.',
  giphy_rating: 'Which moving pictures clients offer.',
  inline_url_embed_preview:
    'Kept for clients; pages are not fetched, which `server_inline_url_embed_preview` says.',
  jitsi_server_url: "Where clients hold calls; `default` for the server's.",
  message_content_allowed_in_email_notifications: 'Kept for clients; no mail has the content of messages.',
  org_type: 'What kind of organization it is, for people.',
  video_chat_provider:
    'What clients hold calls with: 0 none, 1 Jitsi, 4 BigBlueButton, where the installation has it.',
  want_advertise_in_communities_directory: 'Kept for clients; there is no directory.',
  zulip_update_announcements_stream_id: 'Kept for clients; the server announces nothing about itself.',
} as const

/** Settings in seconds that may be unlimited, which is `null`. */
export const messageTimeLimits = [
  'message_content_edit_limit_seconds',
  'message_content_delete_limit_seconds',
  'move_messages_within_stream_limit_seconds',
  'move_messages_between_streams_limit_seconds',
] as const

const INVITERS = [
  'role:administrators',
  'role:moderators',
  'role:fullmembers',
  'role:members',
  'role:nobody',
] as const
const CREATORS = [...INVITERS, 'role:owners'] as const
const WRITERS = [...CREATORS, 'role:everyone'] as const

/**
 * Settings that name a group: which of those that every organization has each takes, and whether it takes groups that
 * people made.
 */
export const realmGroupSettings = {
  can_access_all_users_group: { systemGroups: ['role:everyone', 'role:members'], takesCustomGroups: false },
  create_multiuse_invite_group: { systemGroups: INVITERS, takesCustomGroups: false },
  can_create_public_channel_group: { systemGroups: CREATORS, takesCustomGroups: true },
  can_create_private_channel_group: { systemGroups: CREATORS, takesCustomGroups: true },
  direct_message_initiator_group: { systemGroups: WRITERS, takesCustomGroups: true },
  direct_message_permission_group: { systemGroups: WRITERS, takesCustomGroups: true },
} as const satisfies Record<
  string,
  { readonly systemGroups: readonly SystemGroupName[]; readonly takesCustomGroups: boolean }
>
export type RealmGroupSetting = keyof typeof realmGroupSettings

/** Those that take groups that people made. */
export type OpenGroupSetting = {
  [K in RealmGroupSetting]: (typeof realmGroupSettings)[K]['takesCustomGroups'] extends true ? K : never
}[RealmGroupSetting]
export const openGroupSettings = (Object.keys(realmGroupSettings) as RealmGroupSetting[]).filter(
  (name): name is OpenGroupSetting => realmGroupSettings[name].takesCustomGroups,
)

/** A setting's value as clients get it. */
export const realmSettingValue = z.union([z.int(), z.boolean(), z.string(), z.null()])
export type RealmSettingValue = z.output<typeof realmSettingValue>
