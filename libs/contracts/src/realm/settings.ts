import { z } from 'zod'
import { groupSettingValue } from '../permissions/group-setting-value.ts'

const oneOf = (...values: number[]) => z.literal(values)
/** -1 means none. */
const channelId = z.int().min(-1)

/** Maximum lengths of an organization's texts, in characters. */
export const realmLimits = {
  maxNameLength: 40,
  maxDescriptionLength: 1_000,
  maxUrlLength: 200,
} as const

/** Settings that are integers or booleans: the values that each takes, by its name in the API. */
export const plainRealmSettings = {
  allow_edit_history: z.boolean(),
  allow_message_editing: z.boolean(),
  avatar_changes_disabled: z.boolean(),
  digest_emails_enabled: z.boolean(),
  disallow_disposable_email_addresses: z.boolean(),
  email_changes_disabled: z.boolean(),
  emails_restricted_to_domains: z.boolean(),
  enable_guest_user_dm_warning: z.boolean(),
  enable_guest_user_indicator: z.boolean(),
  enable_read_receipts: z.boolean(),
  enable_spectator_access: z.boolean(),
  inline_image_preview: z.boolean(),
  inline_url_embed_preview: z.boolean(),
  invite_required: z.boolean(),
  mandatory_topics: z.boolean(),
  message_content_allowed_in_email_notifications: z.boolean(),
  name_changes_disabled: z.boolean(),
  require_e2ee_push_notifications: z.boolean(),
  require_unique_names: z.boolean(),
  send_welcome_emails: z.boolean(),
  want_advertise_in_communities_directory: z.boolean(),

  digest_weekday: z.int().min(0).max(6),
  giphy_rating: z.int().min(0).max(5),
  org_type: oneOf(0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000),
  video_chat_provider: oneOf(0, 1, 4),

  new_stream_announcements_stream_id: channelId,
  signup_announcements_stream_id: channelId,
  zulip_update_announcements_stream_id: channelId,
  moderation_request_channel_id: channelId,
} as const
export type PlainRealmSetting = keyof typeof plainRealmSettings

/** Settings that no service uses, and why storing and returning them is enough: clients use them. */
export const settingsForClients = {
  enable_guest_user_dm_warning: 'Whether clients warn before a direct message to a guest.',
  enable_guest_user_indicator: 'Whether clients mark guests.',
  giphy_rating: 'Which GIFs clients offer.',
  inline_url_embed_preview:
    'Stored for clients; pages are not fetched, as `server_inline_url_embed_preview` says.',
  jitsi_server_url: "Server for calls of clients; `default` for the server's default.",
  org_type: 'Kind of organization, shown to users.',
  video_chat_provider: 'Provider of calls: 0 none, 1 Jitsi, 4 BigBlueButton, if the installation has it.',
  want_advertise_in_communities_directory: 'Stored for clients; there is no directory.',
  zulip_update_announcements_stream_id: 'Stored for clients; the server announces nothing about itself.',
} as const

/** Which edits the history of a message shows. */
export const historyVisibility = z.enum(['all', 'moves', 'none'])
export type HistoryVisibility = z.output<typeof historyVisibility>

/** Settings in seconds; `null` means unlimited. */
export const messageTimeLimits = [
  'message_content_edit_limit_seconds',
  'message_content_delete_limit_seconds',
  'move_messages_within_stream_limit_seconds',
  'move_messages_between_streams_limit_seconds',
] as const

/** Authentication methods that the installation offers, by name. */
export const authenticationMethodStates = z.record(
  z.string(),
  z.object({ enabled: z.boolean(), available: z.boolean() }),
)

/** A setting's value as clients receive it; permissions are group-setting values. */
export const realmSettingValue = z.union([
  groupSettingValue,
  z.boolean(),
  z.string(),
  z.null(),
  authenticationMethodStates,
])
export type RealmSettingValue = z.output<typeof realmSettingValue>
