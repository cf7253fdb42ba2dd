import { z } from 'zod'
import { profileFieldType } from '../realm/profile-fields.ts'
import { authenticationMethodStates } from '../realm/settings.ts'

const never = (what: string) => z.literal(false).describe(`Always false: ${what}.`)
const always = (what: string) => z.literal(true).describe(`Always true: ${what}.`)
const none = (what: string) => z.array(z.unknown()).max(0).describe(`Always empty: ${what}.`)
const choices = (ids: z.ZodType) => z.record(z.string(), z.object({ id: ids, name: z.string() }))

const permissionSetting = z.object({
  require_system_group: z.boolean(),
  allow_internet_group: z.boolean(),
  allow_nobody_group: z.boolean(),
  allow_everyone_group: z.boolean(),
  default_group_name: z.string(),
  default_for_system_groups: z.string().nullable(),
  allowed_system_groups: z.array(z.string()).describe('Empty: any.'),
})
const permissionSettings = z.record(z.string(), permissionSetting)

/** Capabilities and limits of the server. */
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
  password_max_length: z.int(),
  password_min_guesses: z.int(),
  server_min_deactivated_realm_deletion_days: z.int(),
  server_max_deactivated_realm_deletion_days: z.int().nullable().describe('Null: no maximum.'),
  server_emoji_data_url: z.string(),
  server_jitsi_server_url: z.string(),
  jitsi_server_url: z
    .string()
    .describe('Deprecated: `realm_jitsi_server_url`, or `server_jitsi_server_url` if that is null.'),
  server_supported_permission_settings: z
    .object({ realm: permissionSettings, stream: permissionSettings, group: permissionSettings })
    .describe('Which groups each group setting accepts.'),
  server_thumbnail_formats: none('pictures in messages are not scaled down'),
  server_inline_image_preview: always('see `realm_inline_image_preview`'),
  server_inline_url_embed_preview: never('linked pages have no previews'),
  server_web_public_streams_enabled: always('see `realm_enable_spectator_access`'),
  server_avatar_changes_disabled: never('see `realm_avatar_changes_disabled`'),
  server_name_changes_disabled: never('see `realm_name_changes_disabled`'),
  server_needs_upgrade: never('the service does not check its own age'),
  development_environment: never('no installation is a development environment'),
  server_can_summarize_topics: never('the service has no language model'),
  settings_send_digest_emails: z
    .boolean()
    .describe('Whether the installation mails digests, where organizations turn them on.'),
  navigation_tour_video_url: z.null().describe('Always null: there is no video that explains the service.'),
}

/** Keys that clients of the reference API expect of an organization, beside its settings. */
const organization = {
  realm_empty_topic_display_name: z
    .string()
    .describe('The name of the empty topic, for people; see the capability `empty_topic_name`.'),
  realm_default_code_block_language: z.string(),
  realm_jitsi_server_url: z.string().nullable().describe('Null: `server_jitsi_server_url`.'),
  realm_bot_domain: z.string().describe("The domain of bots' addresses."),
  realm_authentication_methods: authenticationMethodStates.describe(
    'The authentication methods that the installation offers the organization.',
  ),
  realm_email_auth_enabled: z.boolean(),
  realm_password_auth_enabled: z.boolean(),
  realm_push_notifications_enabled: z.boolean().describe('Whether notifications are sent to mobile apps.'),
  realm_push_notifications_enabled_end_timestamp: z
    .int()
    .nullable()
    .describe('When the push relay service ends them, in UNIX seconds; null if it names no time.'),
  realm_presence_disabled: never('users decide in their settings whether it is shown'),
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
    .describe('Built-in types of profile fields for external accounts.'),
  custom_profile_field_types: choices(profileFieldType),
}

/** Fetch types of features that don't exist here. */
const nothing = {
  realm_billing: z.object({ has_pending_sponsorship_request: never('nothing is billed') }),
  realm_embedded_bots: none('all bots run elsewhere'),
  realm_incoming_webhook_bots: z
    .array(
      z.object({
        name: z.string(),
        display_name: z.string(),
        all_event_types: z
          .array(z.string())
          .nullable()
          .describe('Values of `only_events` and `exclude_events`; null if it has no names of events.'),
        config_options: z.array(z.unknown()).max(0).describe('Always empty: everything is in the address.'),
        url_options: z
          .array(z.object({ key: z.string(), label: z.string(), validator: z.literal('check_string') }))
          .describe("The integration's own parameters of the address."),
      }),
    )
    .describe('The integrations, for addresses at which other programs post; empty for spectators.'),
  realm_filters: none('`realm_linkifiers` replaced it'),
  realm_default_stream_groups: none('default channels are not grouped'),
  stop_words: none('search uses every word'),
  has_zoom_token: never('calls are made with Jitsi'),
}

/** The same for everyone in an organization, and mostly for all organizations. */
export const registerServerFields = { ...server, ...organization, ...nothing }
