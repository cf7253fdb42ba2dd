import {
  EMPTY_TOPIC_NAME,
  externalAccounts,
  limits,
  passwordRule,
  presenceTiming,
  serverVersion,
  typingTiming,
} from '@tms/contracts'
import { DEFAULT_JITSI_URL } from '../calls/call-providers.ts'
import { supportedPermissionSettings } from './supported-permission-settings.ts'

/** Keys of the fetch type `realm` that are the same for every organization. */
export const serverKeys: Readonly<Record<string, unknown>> = {
  max_message_length: limits.maxMessageLength,
  max_topic_length: limits.maxTopicLength,
  max_stream_name_length: limits.maxChannelNameLength,
  max_stream_description_length: limits.maxChannelDescriptionLength,
  max_file_upload_size_mib: limits.maxFileUploadMib,
  max_avatar_file_size_mib: limits.maxPictureMib,
  max_icon_file_size_mib: limits.maxPictureMib,
  max_logo_file_size_mib: limits.maxPictureMib,

  server_typing_started_expiry_period_milliseconds: typingTiming.startedExpiryMs,
  server_typing_stopped_wait_period_milliseconds: typingTiming.stoppedWaitMs,
  server_typing_started_wait_period_milliseconds: typingTiming.startedWaitMs,
  server_presence_ping_interval_seconds: presenceTiming.pingIntervalSeconds,
  server_presence_offline_threshold_seconds: presenceTiming.offlineThresholdSeconds,
  password_min_length: passwordRule.minLength,
  password_max_length: passwordRule.maxLength,
  password_min_guesses: passwordRule.minGuesses,

  server_generation: serverVersion.generation,
  server_needs_upgrade: false,
  development_environment: false,
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_inline_image_preview: true,
  server_inline_url_embed_preview: false,
  server_web_public_streams_enabled: true,
  server_thumbnail_formats: [],
  server_jitsi_server_url: DEFAULT_JITSI_URL,
  server_supported_permission_settings: supportedPermissionSettings,
  server_can_summarize_topics: false,
  navigation_tour_video_url: null,

  realm_empty_topic_display_name: EMPTY_TOPIC_NAME,
  realm_presence_disabled: false,
  realm_is_zephyr_mirror_realm: false,
  // 1: self-hosted, without limits.
  realm_plan_type: 1,
  zulip_plan_is_not_limited: true,
  upgrade_text_for_wide_organization_logo: '',

  giphy_rating_options: {
    disabled: { id: 0, name: 'No GIFs' },
    y: { id: 1, name: 'Y: for the very young' },
    g: { id: 2, name: 'G: for everyone' },
    pg: { id: 3, name: 'PG: with a parent' },
    'pg-13': { id: 4, name: 'PG-13: from 13 years' },
    r: { id: 5, name: 'R: for adults' },
  },
  realm_default_external_accounts: externalAccounts,
}
