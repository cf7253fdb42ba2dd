import { auditRetentionDays, historyVisibility, plainRealmSettings as values } from '@tms/contracts'
import { z } from 'zod'

/** Seconds; null means unlimited. */
const limit = (standard: number) => z.int().positive().nullable().default(standard)

/**
 * Settings of an organization that are neither columns of `realms` nor permissions, with their types and defaults. Names are those of the
 * API, without the prefix `realm_`. The database contains only values that differ from the defaults.
 */
export const realmSettings = z.object({
  /** Authentication methods that the organization has switched off; a method that is new to the installation is on. */
  disabled_authentication_methods: z.array(z.string()).default([]),

  message_content_edit_limit_seconds: limit(600),
  message_content_delete_limit_seconds: limit(600),
  move_messages_within_stream_limit_seconds: limit(604_800),
  move_messages_between_streams_limit_seconds: limit(604_800),
  /** Days; -1 means unlimited. */
  message_retention_days: z.int().default(-1),
  /** Likewise, of entries of the audit log. */
  audit_log_retention_days: z.int().min(-1).max(auditRetentionDays.max).default(-1),

  message_edit_history_visibility_policy: historyVisibility.default('all'),
  /** What older clients read and send: whether the policy isn't `none`. */
  allow_edit_history: values.allow_edit_history.default(true),
  allow_message_editing: values.allow_message_editing.default(true),
  disallow_disposable_email_addresses: values.disallow_disposable_email_addresses.default(true),
  enable_guest_user_dm_warning: values.enable_guest_user_dm_warning.default(true),
  enable_guest_user_indicator: values.enable_guest_user_indicator.default(true),
  // True at creation, since a new organization takes members by invitation only.
  enable_read_receipts: values.enable_read_receipts.default(true),
  inline_image_preview: values.inline_image_preview.default(true),
  invite_required: values.invite_required.default(true),
  message_content_allowed_in_email_notifications:
    values.message_content_allowed_in_email_notifications.default(true),
  send_welcome_emails: values.send_welcome_emails.default(true),

  avatar_changes_disabled: values.avatar_changes_disabled.default(false),
  digest_emails_enabled: values.digest_emails_enabled.default(false),
  email_changes_disabled: values.email_changes_disabled.default(false),
  emails_restricted_to_domains: values.emails_restricted_to_domains.default(false),
  enable_spectator_access: values.enable_spectator_access.default(false),
  inline_url_embed_preview: values.inline_url_embed_preview.default(false),
  name_changes_disabled: values.name_changes_disabled.default(false),
  require_e2ee_push_notifications: values.require_e2ee_push_notifications.default(false),
  require_unique_names: values.require_unique_names.default(false),
  want_advertise_in_communities_directory: values.want_advertise_in_communities_directory.default(false),

  default_code_block_language: z.string().default(''),
  default_language: z.string().default('en'),
  digest_weekday: values.digest_weekday.default(1),
  giphy_rating: values.giphy_rating.default(2),
  /** Null means the server's default. */
  jitsi_server_url: z.string().nullable().default(null),
  org_type: values.org_type.default(0),
  video_chat_provider: values.video_chat_provider.default(1),

  new_stream_announcements_stream_id: values.new_stream_announcements_stream_id.default(-1),
  signup_announcements_stream_id: values.signup_announcements_stream_id.default(-1),
  zulip_update_announcements_stream_id: values.zulip_update_announcements_stream_id.default(-1),
  moderation_request_channel_id: values.moderation_request_channel_id.default(-1),
})
