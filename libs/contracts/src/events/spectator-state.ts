import { z } from 'zod'
import { registerFields } from './register-fields.ts'

/** Register keys of the organization and the server that spectators get: those that are needed to show web-public channels. */
export const spectatorRealmKeys = [
  'realm_name',
  'realm_description',
  'realm_url',
  'realm_uri',
  'realm_icon_url',
  'realm_icon_source',
  'realm_logo_url',
  'realm_logo_source',
  'realm_night_logo_url',
  'realm_night_logo_source',
  'realm_default_language',
  'realm_default_code_block_language',
  'realm_enable_spectator_access',
  'server_emoji_data_url',
  'server_generation',
  'server_web_public_streams_enabled',
] as const

/** Register keys that are always empty for spectators, by fetch type: personal ones, and those that are not needed to show web-public channels. */
export const nothingForSpectators = {
  alert_words: { alert_words: [] },
  device: { devices: {} },
  custom_profile_fields: { custom_profile_fields: [] },
  default_stream_groups: { realm_default_stream_groups: [] },
  default_streams: { realm_default_streams: [] },
  drafts: { drafts: [] },
  muted_topics: { muted_topics: [] },
  muted_users: { muted_users: [] },
  onboarding_steps: { onboarding_steps: [] },
  presence: { presences: {} },
  realm_bot: { realm_bots: [] },
  realm_domains: { realm_domains: [] },
  realm_embedded_bots: { realm_embedded_bots: [] },
  realm_filters: { realm_filters: [] },
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: [] },
  realm_linkifiers: { realm_linkifiers: [] },
  realm_playgrounds: { realm_playgrounds: [] },
  realm_user_groups: { realm_user_groups: [] },
  recent_private_conversations: { recent_private_conversations: [] },
  saved_snippets: { saved_snippets: [] },
  scheduled_messages: { scheduled_messages: [] },
  starred_messages: { starred_messages: [] },
  subscription: { subscriptions: [], unsubscribed: [] },
  user_status: { user_status: {} },
  user_topic: { user_topics: [] },
} as const satisfies Readonly<Record<string, Readonly<Record<string, unknown>>>>

const visibleKeys = [
  ...spectatorRealmKeys,
  ...Object.values(nothingForSpectators).flatMap(Object.keys),
  ...['streams', 'never_subscribed', 'max_message_id', 'unread_msgs', 'realm_emoji'],
  ...['realm_users', 'realm_non_active_users', 'cross_realm_bots'],
]

/** Fields of register's answer to spectators, each present if its fetch type is requested. */
export const spectatorFields = Object.fromEntries(
  Object.entries<z.ZodType>(registerFields).filter(([name]) => visibleKeys.includes(name)),
) as Record<never, z.ZodType>
