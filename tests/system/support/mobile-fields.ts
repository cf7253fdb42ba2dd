import { z } from 'zod'

/**
 * The fields that the official mobile app requires: without one of them, or if it is null, the app drops the whole response or
 * event. It ignores other fields.
 */
const [int, text, flag] = [z.int(), z.string(), z.boolean()]
const ints = z.array(int)
const map = <Value extends z.ZodType>(value: Value) => z.record(z.string(), value)
const object = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape)
const listOf = <Shape extends z.ZodRawShape>(shape: Shape) => z.array(object(shape))

const groupSetting = z.union([int, object({ direct_members: z.array(int), direct_subgroups: z.array(int) })])
const user = {
  ...{ user_id: int, email: text, full_name: text, date_joined: text, is_bot: flag },
  ...{ role: int, timezone: text, avatar_version: int },
}
const channel = {
  ...{ stream_id: int, name: text, description: text, rendered_description: text, date_created: int },
  ...{ invite_only: flag, is_web_public: flag, history_public_to_subscribers: flag },
  stream_post_policy: z.union([1, 2, 3, 4].map((policy) => z.literal(policy))),
  ...{ can_add_subscribers_group: groupSetting, can_send_message_group: groupSetting },
  can_subscribe_group: groupSetting,
  ...{ is_archived: flag, is_recently_active: flag },
}
const subscription = {
  ...channel,
  ...{ pin_to_top: flag, is_muted: flag, color: text },
}
const group = {
  ...{ id: int, name: text, description: text, is_system_group: flag, deactivated: flag },
  ...{ members: ints, direct_subgroup_ids: ints, deactivated: flag },
}
const emoji = { id: text, name: text, source_url: text, deactivated: flag }
const profileField = { id: int, type: int, order: int, name: text, hint: text, field_data: text }
const userTopic = { stream_id: int, topic_name: text, last_updated: int, visibility_policy: int }
const mutedUsers = listOf({ id: int })
const savedSnippet = { id: int, title: text, content: text, date_created: int }

const anyMessage = {
  ...{ id: int, client: text, content: text, content_type: text, is_me_message: flag, timestamp: int },
  ...{ sender_id: int, sender_email: text, sender_full_name: text, sender_realm_str: text },
  reactions: listOf({ emoji_name: text, emoji_code: text, reaction_type: text, user_id: int }),
}
const message = z.discriminatedUnion('type', [
  object({
    ...anyMessage,
    type: z.literal('stream'),
    stream_id: int,
    subject: text,
    display_recipient: text,
  }),
  object({
    ...anyMessage,
    ...{ type: z.literal('private'), display_recipient: listOf({ id: int, email: text, full_name: text }) },
  }),
])
const fetchedMessage = z.intersection(message, object({ flags: z.array(text) }))

/** The state of `POST /register`. */
export const snapshotFields = {
  ...{ queue_id: text, last_event_id: int, zulip_feature_level: int, zulip_version: text },
  ...{ zulip_merge_base: text, alert_words: z.array(text), custom_profile_fields: listOf(profileField) },
  ...{ max_stream_name_length: int, max_topic_length: int },
  ...{ server_presence_ping_interval_seconds: int, server_presence_offline_threshold_seconds: int },
  saved_snippets: listOf(savedSnippet),
  ...{ muted_users: mutedUsers, realm_emoji: map(object(emoji)), realm_user_groups: listOf(group) },
  recent_private_conversations: listOf({ max_message_id: int, user_ids: ints }),
  ...{ starred_messages: ints, user_topics: listOf(userTopic), user_status: map(object({})) },
  unread_msgs: object({
    ...{ count: int, mentions: ints, old_unreads_missing: flag },
    pms: listOf({ other_user_id: int, unread_message_ids: ints }),
    streams: listOf({ topic: text, stream_id: int, unread_message_ids: ints }),
    huddles: listOf({ user_ids_string: text, unread_message_ids: ints }),
  }),
  ...{ streams: listOf(channel), subscriptions: listOf(subscription) },
  user_settings: object({
    ...{ starred_message_counts: flag, display_emoji_reaction_users: flag, emojiset: text },
    presence_enabled: flag,
  }),
  ...{ realm_delete_own_message_policy: int, realm_mandatory_topics: flag },
  ...{ realm_can_delete_any_message_group: groupSetting, realm_can_delete_own_message_group: groupSetting },
  ...{ realm_moderation_request_channel_id: int, realm_empty_topic_display_name: text },
  realm_wildcard_mention_policy: z.union([1, 2, 3, 5, 6, 7].map((policy) => z.literal(policy))),
  ...{ realm_name: text, realm_waiting_period_threshold: int, realm_allow_message_editing: flag },
  ...{ realm_enable_read_receipts: flag, realm_icon_url: text, realm_presence_disabled: flag },
  realm_default_external_accounts: map(object({ name: text, text, hint: text, url_pattern: text })),
  ...{ max_file_upload_size_mib: int, server_emoji_data_url: text },
  event_queue_longpoll_timeout_seconds: int,
  ...{ realm_users: listOf(user), realm_non_active_users: listOf(user), cross_realm_bots: listOf(user) },
}

/** The same, in a form that other clients do not use. */
export const ownSnapshotFields = {
  presences: map(object({ active_timestamp: int, idle_timestamp: int })),
}

const streamUpdates = {
  ...{ name: text, description: text, invite_only: flag, first_message_id: int.nullable() },
  ...{
    message_retention_days: int.nullable(),
    stream_weekly_traffic: int.nullable(),
    is_recently_active: flag,
  },
  is_archived: flag,
  stream_post_policy: channel.stream_post_policy,
  ...{ can_add_subscribers_group: groupSetting, can_send_message_group: groupSetting },
  can_subscribe_group: groupSetting,
}
const groupUpdates = { name: text.optional(), description: text.optional(), deactivated: flag.optional() }

const peers = object({ stream_ids: ints, user_ids: ints })
const members = object({ group_id: int, user_ids: ints })
const subgroups = object({ group_id: int, direct_subgroup_ids: ints })
const reaction = object({
  ...{ emoji_name: text, emoji_code: text, reaction_type: text, user_id: int, message_id: int },
})

/** Events, by their type and `op`. */
export const eventFields: Readonly<Record<string, z.ZodType>> = {
  'realm_emoji update': object({ realm_emoji: map(object(emoji)) }),
  alert_words: object({ alert_words: z.array(text) }),
  'saved_snippets add': object({ saved_snippet: object(savedSnippet) }),
  'saved_snippets update': object({ saved_snippet: object(savedSnippet) }),
  'saved_snippets remove': object({ saved_snippet_id: int }),
  custom_profile_fields: object({ fields: listOf(profileField) }),
  muted_users: object({ muted_users: mutedUsers }),
  'user_settings update': object({ property: text, value: z.union([flag, int, text]) }),
  'user_group add': object({ group: object(group) }),
  'user_group update': object({ group_id: int, data: object(groupUpdates) }),
  ...{ 'user_group add_members': members, 'user_group remove_members': members },
  ...{ 'user_group add_subgroups': subgroups, 'user_group remove_subgroups': subgroups },
  'user_group remove': object({ group_id: int }),
  'realm_user add': object({ person: object(user) }),
  'realm_user remove': object({ person: object({ user_id: int }) }),
  'realm_user update': object({ person: object({ user_id: int }) }),
  'stream create': object({ streams: listOf(channel) }),
  'stream delete': object({ streams: listOf({ stream_id: int }) }),
  'stream update': object({ stream_id: int, name: text, property: text }).refine(
    ({ property, value }) =>
      z
        .object(streamUpdates)
        .partial()
        .safeParse({ [property]: value }).success,
    'its value is not of the type of its property',
  ),
  'subscription add': object({ subscriptions: listOf(subscription) }),
  'subscription remove': object({ subscriptions: listOf({ stream_id: int }) }),
  'subscription update': object({ stream_id: int, property: text, value: z.union([flag, text]) }),
  ...{ 'subscription peer_add': peers, 'subscription peer_remove': peers },
  user_status: object({ user_id: int }),
  user_topic: object(userTopic),
  message: object({ message, flags: z.array(text) }),
  update_message: object({
    ...{
      rendering_only: flag,
      message_id: int,
      message_ids: ints,
      flags: z.array(text),
      edit_timestamp: int,
    },
  }),
  delete_message: object({ message_type: z.enum(['stream', 'private']) }),
  'update_message_flags add': object({ flag: text, messages: ints, all: flag }),
  'update_message_flags remove': object({ flag: text, messages: ints }),
  submessage: object({ msg_type: text, content: text, message_id: int, sender_id: int, submessage_id: int }),
  ...{ 'reaction add': reaction, 'reaction remove': reaction },
  typing: object({ op: text, message_type: text, sender: object({ user_id: int }) }),
  presence: object({
    ...{ user_id: int, server_timestamp: z.number() },
    presence: map(object({ client: text, status: text, timestamp: int, pushable: flag })),
  }),
}

/** Responses of other calls, by method and path. A realm's name and the like exist if there is a realm. */
export const answerFields: readonly (readonly [call: RegExp, fields: z.ZodType])[] = [
  [
    /^GET \/api\/v1\/server_settings$/,
    object({
      authentication_methods: object({ ldap: flag }),
      external_authentication_methods: listOf({}),
      ...{ zulip_feature_level: int, zulip_version: text, zulip_merge_base: text },
      ...{ push_notifications_enabled: flag, is_incompatible: flag, email_auth_enabled: flag },
      ...{ require_email_format_usernames: flag, realm_uri: text, realm_web_public_access_enabled: flag },
      ...{ realm_name: text.optional(), realm_icon: text.optional(), realm_description: text.optional() },
    }),
  ],
  // The app registers with an account; spectators get no queue.
  [/^POST \/api\/v1\/register$/, z.union([object({ queue_id: z.null() }), object(snapshotFields).partial()])],
  [/^POST \/api\/v1\/fetch_api_key$/, object({ api_key: text, email: text })],
  [/^GET \/api\/v1\/users\/me$/, object(user)],
  [/^GET \/api\/v1\/users$/, object({ members: listOf(user) })],
  [/^GET \/api\/v1\/users\/me\/subscriptions$/, object({ subscriptions: listOf(subscription) })],
  [/^GET \/api\/v1\/users\/me\/\d+\/topics$/, object({ topics: listOf({ max_id: int, name: text }) })],
  [/^GET \/api\/v1\/streams$/, object({ streams: listOf(channel) })],
  [/^GET \/api\/v1\/messages$/, object({ messages: z.array(fetchedMessage) })],
  [/^GET \/api\/v1\/messages\/\d+$/, object({ message: fetchedMessage })],
  [/^POST \/api\/v1\/messages$/, object({ id: int })],
  [/^POST \/api\/v1\/user_uploads$/, object({ uri: text, url: text })],
]
