import { z } from 'zod'
import {
  channelRecord,
  draftRecord,
  mutedTopic,
  scheduledMessageRecord,
  subscriptionRecord,
  userTopic,
} from '../messaging/records.ts'
import { legacyPolicyValues } from '../permissions/legacy-policies.ts'
import { profileField } from '../realm/profile-fields.ts'
import {
  codePlayground,
  customEmoji,
  emailDomain,
  linkifier,
  realmPermissionValues,
  realmPicture,
} from '../realm/records.ts'
import { historyVisibility, messageTimeLimits, plainRealmSettings } from '../realm/settings.ts'
import { botRecord } from '../users/bots.ts'
import { clientDevice } from '../users/client-devices.ts'
import { userGroup } from '../users/groups.ts'
import { onboardingStep } from '../users/onboarding.ts'
import { legacyPresence, modernPresence, userStatus } from '../users/presence.ts'
import { mutedUser, userRecord } from '../users/records.ts'
import { savedSnippetRecord } from '../users/saved-snippets.ts'
import { settingSchema } from '../users/setting-schema.ts'
import { settingDefinitions } from '../users/settings.ts'
import { registerServerFields } from './register-server-fields.ts'

const ids = z.array(z.int())
const subscribers = { subscribers: ids.optional() }
const unreadIn = <Target extends z.ZodRawShape>(target: Target) =>
  z.array(z.object({ ...target, unread_message_ids: ids }))

const unreadMessages = z.object({
  /** Without muted ones. */
  count: z.int(),
  pms: unreadIn({ other_user_id: z.int(), sender_id: z.int() }),
  streams: unreadIn({ stream_id: z.int(), topic: z.string() }),
  huddles: unreadIn({ user_ids_string: z.string().describe('IDs of all members, separated by commas.') }),
  mentions: ids,
  old_unreads_missing: z
    .boolean()
    .describe('True if the list is full: it has the newest, and there may be more.'),
})

/** Messages, channels and topics, by fetch type. */
const conversations = {
  max_message_id: z.int().describe('The newest message that you can have; -1 if there is none.'),
  unread_msgs: unreadMessages,
  starred_messages: ids,
  recent_private_conversations: z.array(z.object({ user_ids: ids, max_message_id: z.int() })),
  scheduled_messages: z.array(scheduledMessageRecord),
  drafts: z.array(draftRecord),
  streams: z.array(channelRecord),
  realm_default_streams: ids.describe('IDs of the channels that new users join.'),
  subscriptions: z.array(subscriptionRecord),
  unsubscribed: z.array(subscriptionRecord).describe('Channels that you left.'),
  never_subscribed: z.array(channelRecord.extend(subscribers)),
  user_topics: z.array(userTopic),
  muted_topics: z.array(mutedTopic),
}

const settingChoices = {
  emojiset_choices: z.array(z.object({ key: z.string(), text: z.string() })),
  available_notification_sounds: z.array(z.string()),
}
const settings = z
  .looseObject({
    ...Object.fromEntries(settingDefinitions.map(([name, definition]) => [name, settingSchema(definition)])),
    ...settingChoices,
  })
  .describe('`PATCH /settings` says what each does.')
/** For clients that don't know the settings object. */
const settingCopies = Object.fromEntries(
  Object.entries({
    timezone: z.string(),
    ...Object.fromEntries(
      settingDefinitions.flatMap(([name, definition]) =>
        definition.legacyType ? [[name, settingSchema(definition)]] : [],
      ),
    ),
    ...settingChoices,
  }).map(([name, schema]) => [
    name,
    schema.describe(
      'Deprecated, and absent with the capability `user_settings_object`: see `user_settings`.',
    ),
  ]),
)

/** Users, and your own account. */
const users = {
  realm_users: z.array(userRecord),
  realm_non_active_users: z.array(userRecord),
  cross_realm_bots: z.array(userRecord).describe("The organization's own actors."),
  realm_bots: z.array(botRecord).describe('Those that you manage.'),
  realm_user_groups: z.array(userGroup),
  user_status: z.record(z.string(), userStatus).describe('By user ID.'),
  presences: z
    .record(z.string(), z.union([modernPresence, legacyPresence]))
    .describe('By user ID with `slim_presence`, otherwise by API e-mail.'),
  presence_last_update_id: z.int(),
  server_timestamp: z.number(),
  user_id: z.int(),
  email: z.string().describe('Your API e-mail.'),
  delivery_email: z.string(),
  full_name: z.string(),
  avatar_source: z.string(),
  avatar_url: z.string(),
  avatar_url_medium: z.string(),
  is_owner: z.boolean(),
  is_admin: z.boolean(),
  is_moderator: z.boolean(),
  is_guest: z.boolean(),
  is_billing_admin: z.boolean(),
  can_create_streams: z.boolean(),
  can_create_public_streams: z.boolean(),
  can_create_private_streams: z.boolean(),
  can_create_web_public_streams: z.boolean(),
  can_subscribe_other_users: z.boolean(),
  can_invite_others_to_realm: z.boolean(),
  user_settings: settings.extend({ timezone: z.string() }),
  realm_user_settings_defaults: settings,
  alert_words: z.array(z.string()),
  muted_users: z.array(mutedUser),
  saved_snippets: z.array(savedSnippetRecord),
  devices: z
    .record(z.string(), clientDevice)
    .describe('Your clients that get encrypted notifications, by ID. Fetched as `device`.'),
  onboarding_steps: z.array(onboardingStep).describe('One-time notices that you have not read.'),
}

const prefixed = (shape: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [`realm_${name}`, schema]))

/** The organization. */
const organization = {
  ...prefixed(plainRealmSettings),
  ...prefixed(Object.fromEntries(messageTimeLimits.map((name) => [name, z.int().nullable()]))),
  ...prefixed(realmPermissionValues),
  ...prefixed(legacyPolicyValues),
  ...prefixed(
    Object.fromEntries(
      realmPicture.options.flatMap((picture) => [
        [`${picture}_url`, z.string()],
        [`${picture}_source`, z.string()],
      ]),
    ),
  ),
  realm_message_edit_history_visibility_policy: historyVisibility,
  realm_name: z.string(),
  realm_description: z.string().describe('Markdown.'),
  realm_url: z.string(),
  realm_uri: z.string().describe('Deprecated: `realm_url`.'),
  realm_date_created: z.int().describe('UNIX seconds.'),
  realm_default_language: z.string(),
  realm_waiting_period_threshold: z.int(),
  realm_message_retention_days: z.int(),
  realm_audit_log_retention_days: z
    .int()
    .describe('Days after which entries of the audit log are deleted; -1 means never.'),
  realm_upload_quota_mib: z.number().nullable(),
  realm_linkifiers: z.array(linkifier),
  realm_playgrounds: z.array(codePlayground),
  realm_emoji: z.record(z.string(), customEmoji).describe('By ID.'),
  realm_domains: z.array(emailDomain),
  custom_profile_fields: z.array(profileField),
}

/** Fields of register's answer, each present if its fetch type is requested (`fetch_event_types`). */
export const registerFields = Object.fromEntries(
  Object.entries<z.ZodType>({
    ...conversations,
    ...users,
    ...organization,
    ...registerServerFields,
    ...settingCopies,
  }).map(([name, schema]) => [name, schema.optional()]),
) as Record<never, z.ZodType>
