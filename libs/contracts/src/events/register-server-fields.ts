import { z } from 'zod'
import { profileFieldType } from '../realm/profile-fields.ts'

const never = (what: string) => z.literal(false).describe(`Always false: ${what}.`)
const always = (what: string) => z.literal(true).describe(`Always true: ${what}.`)
const none = (what: string) => z.array(z.unknown()).max(0).describe(`Always empty: ${what}.`)
const choices = (ids: z.ZodType) => z.record(z.string(), z.object({ id: ids, name: z.string() }))

const permissionSetting = z.object({
  require_system_group: z.boolean(),
  allow_internet_group: z.boolean(),
  allow_owners_group: z.boolean(),
  allow_nobody_group: z.boolean(),
  allow_everyone_group: z.boolean(),
  default_group_name: z.string(),
  id_field_name: z.string(),
  default_for_system_groups: z.string().nullable(),
  allowed_system_groups: z.array(z.string()).describe('Empty: any.'),
})
const permissionSettings = z.record(z.string(), permissionSetting)

/** What the server can do and allows. */
const server = {
  max_message_length: z.int(),
  max_topic_length: z.int(),
  max_stream_name_length: z.int(),
  max_stream_description_length: z.int(),
  max_file_upload_size_mib: z.int(),
  server_typing_started_expiry_period_milliseconds: z.int(),
  server_typing_stopped_wait_period_milliseconds: z.int(),
  server_typing_started_wait_period_milliseconds: z.int(),
  server_presence_ping_interval_seconds: z.int(),
  server_presence_offline_threshold_seconds: z.int(),
  server_generation: z.int(),
  max_avatar_file_size_mib: z.int(),
  max_icon_file_size_mib: z.int(),
  max_logo_file_size_mib: z.int(),
  password_min_length: z.int(),
  password_min_guesses: z.int(),
  server_emoji_data_url: z.string(),
  server_jitsi_server_url: z.string(),
  jitsi_server_url: z
    .string()
    .describe('Deprecated: `realm_jitsi_server_url`, else `server_jitsi_server_url`.'),
  server_supported_permission_settings: z
    .object({ realm: permissionSettings, stream: permissionSettings, group: permissionSettings })
    .describe('Which groups each setting takes that is a group.'),
  server_thumbnail_formats: none('pictures in messages are not made smaller'),
  server_inline_image_preview: always('see `realm_inline_image_preview`'),
  server_inline_url_embed_preview: never('of pages no more is shown than their links'),
  server_web_public_streams_enabled: always('see `realm_enable_spectator_access`'),
  server_avatar_changes_disabled: never('see `realm_avatar_changes_disabled`'),
  server_name_changes_disabled: never('see `realm_name_changes_disabled`'),
  server_needs_upgrade: never('the service does not judge its own age'),
  development_environment: never('no installation is one'),
  settings_send_digest_emails: never('there are no such mails'),
}

/** What clients of the reference API look for in an organization, beside its settings. */
const organization = {
  realm_default_code_block_language: z.string(),
  realm_jitsi_server_url: z.string().nullable().describe('Null: `server_jitsi_server_url`.'),
  realm_bot_domain: z.string().describe("What bots' addresses end in."),
  realm_authentication_methods: z.record(
    z.string(),
    z.object({ enabled: z.boolean(), available: z.boolean() }),
  ),
  realm_email_auth_enabled: z.boolean(),
  realm_password_auth_enabled: z.boolean(),
  realm_push_notifications_enabled: never('no mobile service is told'),
  realm_push_notifications_enabled_end_timestamp: z.null(),
  realm_presence_disabled: never('people say in their settings whether it is shown'),
  realm_is_zephyr_mirror_realm: never('there are no mirrors'),
  realm_plan_type: z.literal(1).describe('Always 1: self-hosted, without limits.'),
  zulip_plan_is_not_limited: z.literal(true),
  upgrade_text_for_wide_organization_logo: z.literal(''),
  realm_available_video_chat_providers: choices(z.int()),
  giphy_rating_options: choices(z.int()),
  giphy_api_key: z.literal(''),
  realm_default_external_accounts: z
    .record(
      z.string(),
      z.object({ text: z.string(), name: z.string(), hint: z.string(), url_pattern: z.string() }),
    )
    .describe('What a profile field for an account elsewhere can be of.'),
  custom_profile_field_types: choices(profileFieldType),
}

/** Fetch types of what there is none of here. */
const nothing = {
  realm_embedded_bots: none('all bots run elsewhere'),
  realm_incoming_webhook_bots: none('there are no ready-made integrations'),
  realm_filters: none('`realm_linkifiers` is what replaced it'),
  realm_default_stream_groups: none('default channels are not grouped'),
  stop_words: none('search looks for every word'),
  has_zoom_token: never('calls are held with Jitsi'),
}

/** What is the same for everyone in an organization, and mostly everywhere. */
export const registerServerFields = { ...server, ...organization, ...nothing }
