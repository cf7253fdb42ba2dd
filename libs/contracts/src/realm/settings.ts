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

/** What every other one does. The defaults are those of a new organization. */
export const usedRealmSettings: Readonly<
  Record<Exclude<PlainRealmSetting, keyof typeof settingsForClients>, string>
> = {
  allow_edit_history:
    'Older form of `message_edit_history_visibility_policy`: true for `all`, false for `none`.',
  allow_message_editing: 'Whether messages can be edited. Default: true.',
  avatar_changes_disabled: 'Whether only administrators change avatars. Default: false.',
  digest_emails_enabled:
    'Whether users who were away for five days get a mail each week about what they missed, unless they turned `enable_digest_emails` off. Default: false.',
  disallow_disposable_email_addresses:
    'Whether addresses of services for throw-away addresses are refused. Default: true.',
  email_changes_disabled: 'Whether only administrators change e-mail addresses. Default: false.',
  emails_restricted_to_domains:
    'Whether new addresses must be of the domains that the organization lists. Default: false.',
  enable_read_receipts: 'Whether users can see who has read a message. Default: true.',
  enable_spectator_access:
    'Whether web-public channels can be created, and read without an account. Default: false.',
  inline_image_preview: 'Whether messages show pictures that they link to. Default: true.',
  invite_required: 'Whether people need an invitation to join. Default: true.',
  mandatory_topics: 'Whether messages to channels must have a topic. Default: false.',
  message_content_allowed_in_email_notifications:
    'Whether mails about missed messages, and digests, show texts and senders. Off, it counts for all users; on, each user may turn them off by `message_content_in_email_notifications`. Such mails have no address for replies. Default: true.',
  name_changes_disabled: 'Whether only administrators change names. Default: false.',
  require_e2ee_push_notifications:
    'Whether apps whose notifications are not encrypted for the device show only that there is a message, and neither text nor names. Default: false.',
  require_unique_names: 'Whether no two users may have one name. Default: false.',
  send_welcome_emails: 'Whether new users get a mail when their account is made. Default: true.',
  digest_weekday:
    'The day of digests: 0 is Monday. They come at 18 o’clock of the time zone of each user. Default: 1.',
  new_stream_announcements_stream_id:
    'The channel in which new channels are announced when a request asks for it; -1 for none.',
  signup_announcements_stream_id: 'The channel in which new users are announced; -1 for none.',
  moderation_request_channel_id:
    'A private channel for reports about messages, or -1; it stays private. Users cannot report any yet.',
}

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
