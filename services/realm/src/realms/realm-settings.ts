import { type SystemGroupName, systemGroupIds } from '@tms/contracts'
import { z } from 'zod'

const policy = (values: readonly number[], standard: number) => z.literal(values).default(standard)
const flag = (standard: boolean) => z.boolean().default(standard)
/** Seconds; null is unlimited. */
const limit = (standard: number) => z.int().positive().nullable().default(standard)
/** -1 is none. */
const channelId = z.int().default(-1)
const group = (standard: SystemGroupName) =>
  z.enum(Object.keys(systemGroupIds) as SystemGroupName[]).default(standard)

/**
 * Settings of an organization that aren't columns of `realms`, with their values and defaults.
 * Names are the wire's, without the prefix `realm_`. The database holds only
 * what differs from the defaults.
 */
export const realmSettings = z.object({
  add_custom_emoji_policy: policy([1, 2, 3, 4], 1),
  user_group_edit_policy: policy([1, 2, 3, 4], 1),
  invite_to_realm_policy: policy([1, 2, 3, 4, 6], 1),
  move_messages_between_streams_policy: policy([1, 2, 3, 4, 6], 1),
  delete_own_message_policy: policy([1, 2, 3, 4, 5], 5),
  edit_topic_policy: policy([1, 2, 3, 4, 5, 6], 5),
  bot_creation_policy: policy([1, 2, 3], 1),
  create_multiuse_invite_group: group('role:administrators'),
  can_access_all_users_group: group('role:everyone'),

  message_content_edit_limit_seconds: limit(600),
  message_content_delete_limit_seconds: limit(600),
  move_messages_within_stream_limit_seconds: limit(604_800),
  move_messages_between_streams_limit_seconds: limit(604_800),
  /** Days; -1 is unlimited. */
  message_retention_days: z.int().default(-1),

  allow_edit_history: flag(true),
  allow_message_editing: flag(true),
  disallow_disposable_email_addresses: flag(true),
  enable_guest_user_indicator: flag(true),
  // True at creation, since a new organization takes members by invitation only.
  enable_read_receipts: flag(true),
  inline_image_preview: flag(true),
  invite_required: flag(true),
  message_content_allowed_in_email_notifications: flag(true),
  send_welcome_emails: flag(true),

  avatar_changes_disabled: flag(false),
  digest_emails_enabled: flag(false),
  email_changes_disabled: flag(false),
  emails_restricted_to_domains: flag(false),
  enable_spectator_access: flag(false),
  inline_url_embed_preview: flag(false),
  name_changes_disabled: flag(false),
  require_unique_names: flag(false),
  want_advertise_in_communities_directory: flag(false),

  default_code_block_language: z.string().default(''),
  default_language: z.string().default('en'),
  /** 0 is Monday. */
  digest_weekday: z.int().min(0).max(6).default(1),
  giphy_rating: z.int().min(0).max(5).default(2),
  jitsi_server_url: z.string().nullable().default(null),
  org_type: policy([0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000], 0),
  video_chat_provider: policy([0, 1, 3, 4], 1),

  new_stream_announcements_stream_id: channelId,
  signup_announcements_stream_id: channelId,
  zulip_update_announcements_stream_id: channelId,
})
