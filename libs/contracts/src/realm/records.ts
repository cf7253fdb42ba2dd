import { z } from 'zod'
import { groupSettingValue } from '../permissions/group-setting-value.ts'
import { type RealmPermission, realmPermissionNames } from '../permissions/permission-settings.ts'
import { profileField } from './profile-fields.ts'
import { historyVisibility } from './settings.ts'

/** A linkifier; linkifiers apply in their order (API document, "Linkifier"). */
export const linkifier = z.object({ id: z.int(), pattern: z.string(), url_template: z.string() })
export type Linkifier = z.output<typeof linkifier>

/**
 * A code playground: a site where readers can run the code blocks of a language (API document, "Code playground").
 * The language also has the older field name.
 */
export const codePlayground = z.object({
  id: z.int(),
  name: z.string(),
  highlighter_language: z.string(),
  pygments_language: z.string(),
  url_template: z.string(),
})
export type CodePlayground = z.output<typeof codePlayground>

/**
 * A domain whose addresses may join if the organization is restricted to domains; `allow_subdomains` includes its
 * subdomains.
 */
export const emailDomain = z.object({ domain: z.string(), allow_subdomains: z.boolean() })
export type EmailDomain = z.output<typeof emailDomain>

/** A custom emoji; deactivated ones are included, because messages and reactions still show them. */
export const customEmoji = z.object({
  id: z.string(),
  name: z.string(),
  source_url: z.string(),
  /** The still picture of an animated one. */
  still_url: z.string().nullable(),
  deactivated: z.boolean(),
  author_id: z.int().nullable(),
})
export type CustomEmoji = z.output<typeof customEmoji>

/** Custom emoji as clients receive them: by ID. */
export function emojiById(emoji: readonly CustomEmoji[]): Record<string, CustomEmoji> {
  return Object.fromEntries(emoji.map((one) => [one.id, one]))
}

/** The pictures of an organization: a square icon, and wide logos for light and dark themes. */
export const realmPicture = z.enum(['icon', 'logo', 'night_logo'])
export type RealmPicture = z.output<typeof realmPicture>

/** The values of all permissions of an organization. */
export const realmPermissionValues = Object.fromEntries(
  realmPermissionNames.map((name) => [name, groupSettingValue]),
) as Record<RealmPermission, typeof groupSettingValue>

/** What other services project of an organization; `version` as in `userProjection`. */
export const realmProjection = z.object({
  realm_id: z.int(),
  /** Subdomain; empty for the installation's default organization. */
  string_id: z.string(),
  name: z.string(),
  url: z.string(),
  is_active: z.boolean(),
  mandatory_topics: z.boolean(),
  waiting_period_threshold: z.int(),
  ...realmPermissionValues,
  allow_message_editing: z.boolean(),
  allow_edit_history: z.boolean(),
  /** Absent in projections of releases that had only `allow_edit_history`. */
  message_edit_history_visibility_policy: historyVisibility.optional(),
  enable_read_receipts: z.boolean(),
  enable_spectator_access: z.boolean(),
  /** Limits in seconds; null means unlimited. */
  message_content_edit_limit_seconds: z.int().nullable(),
  message_content_delete_limit_seconds: z.int().nullable(),
  move_messages_within_stream_limit_seconds: z.int().nullable(),
  move_messages_between_streams_limit_seconds: z.int().nullable(),
  inline_image_preview: z.boolean(),
  /** Days after which messages are deleted, unless their channel has its own setting; -1 means never. */
  message_retention_days: z.int(),
  default_code_block_language: z.string(),
  /** Channels in which new channels, and new users, are announced; -1 means none. */
  new_stream_announcements_stream_id: z.int(),
  signup_announcements_stream_id: z.int(),
  /** The private channel for reports about messages; -1 means none. Absent in projections of the previous release. */
  moderation_request_channel_id: z.int().optional(),
  /** Settings that the users service uses. */
  invite_required: z.boolean(),
  emails_restricted_to_domains: z.boolean(),
  /** The domains of `emails_restricted_to_domains`. */
  email_domains: z.array(emailDomain),
  disallow_disposable_email_addresses: z.boolean(),
  name_changes_disabled: z.boolean(),
  email_changes_disabled: z.boolean(),
  avatar_changes_disabled: z.boolean(),
  require_unique_names: z.boolean(),
  send_welcome_emails: z.boolean(),
  /** Absent in projections of the previous release. */
  message_content_allowed_in_email_notifications: z.boolean().optional(),
  /** Whether users who were away for long get a digest each week, and on which day: 0 is Monday. Absent likewise. */
  digest_emails_enabled: z.boolean().optional(),
  digest_weekday: z.int().optional(),
  /** Whether only devices for which notifications are encrypted show texts and names. Absent likewise. */
  require_e2ee_push_notifications: z.boolean().optional(),
  /** Authentication methods that the organization has switched off. Absent in projections of the previous release. */
  disabled_authentication_methods: z.array(z.string()).optional(),
  default_language: z.string(),
  /** Markdown, and the URL of the icon, for pages. */
  description: z.string(),
  icon_url: z.string(),
  linkifiers: z.array(linkifier),
  custom_emoji: z.array(customEmoji),
  /** In their order. */
  custom_profile_fields: z.array(profileField),
  version: z.int(),
})
export type RealmProjection = z.output<typeof realmProjection>
