import { z } from 'zod'
import { JsonFields } from '../declarations/json-fields.ts'

/** A client's capabilities, declared at register, and their effects. */
const capabilities = {
  notification_settings_null:
    "In register's answer, settings of a subscription that follow the account's are null; otherwise they have the account's values, except `wildcard_mentions_notify`. Events have null in any case.",
  bulk_message_deletion:
    '`delete_message` events name several messages, in `message_ids`; otherwise one each, in `message_id`.',
  user_avatar_url_field_optional:
    'Accounts may lack `avatar_url`, which the client computes. Here every account has one.',
  stream_typing_notifications: '`typing` events of channels are sent.',
  user_settings_object:
    'Settings are only in `user_settings` and its events; otherwise the older ones are also at the top level of the answer, and in the deprecated events `update_display_settings` and `update_global_notifications`.',
  linkifier_url_template:
    '`realm_linkifiers` has the linkifiers, and its events are sent; otherwise it is empty, and none are sent.',
  empty_topic_name:
    'The empty topic is sent as the empty string; otherwise as `realm_empty_topic_display_name`.',
  archived_channels:
    'Archived channels are in the lists of channels and subscriptions, with `is_archived`; their changes arrive as `stream` `update` and `subscription` events. Otherwise a channel that is archived is deleted.',
  include_deactivated_groups:
    'Deactivated user groups are in the list of groups, and events about them are sent. Otherwise a group that is deactivated is removed.',
  user_list_incomplete: "Users that a guest can't see are left out; otherwise they are listed anonymously.",
} as const
type Capability = keyof typeof capabilities

/** A value for every capability, made from its description. */
export const forEachCapability = <T>(of: (description: string) => T): Record<Capability, T> =>
  Object.fromEntries(
    Object.entries(capabilities).map(([name, description]) => [name, of(description)]),
  ) as Record<Capability, T>

/** The declared capabilities; unknown names are dropped, missing ones are false. */
export const clientCapabilities = z.object(forEachCapability(() => z.boolean().default(false)))
export type ClientCapabilities = z.output<typeof clientCapabilities>

/** As a client declares them; newer clients may declare unknown ones. */
export const declaredCapabilities = z
  .object(forEachCapability((description) => z.boolean().optional().describe(description)))
  .catchall(z.boolean())

/** Body of the events service's requests to owners during the register hand-off. */
export const registerStateBody = z.object({
  realm_id: z.int(),
  user_id: z.int(),
  /** As authenticated; owners that know a newer role use that. */
  role: z.int(),
  /** Initial data to return, by fetch type; null means everything (API document, register). */
  fetch_event_types: z.array(z.string()).nullable(),
  client_gravatar: z.boolean(),
  include_subscribers: z.boolean(),
  slim_presence: z.boolean(),
  presence_history_limit_days: z.int().optional(),
  client_capabilities: clientCapabilities,
  /** The state may be deflated; releases before this parameter neither deflate it nor ask for that. */
  may_be_deflated: z.boolean().optional(),
  /** Without bots, whose records contain their keys. */
  hides_keys: z.boolean().optional(),
})
export type RegisterStateBody = z.output<typeof registerStateBody>

/**
 * State read in one repeatable-read transaction, with that transaction's `pg_current_snapshot()` as text
 * (`xmin:xmax:xip,…`): the state contains exactly the transactions visible in the snapshot.
 */
export const registerStateResponse = z.object({
  snapshot: z.string(),
  /** Fields of register's answer, which no other owner's state has. */
  state: z.instanceof(JsonFields),
})
export type RegisterStateResponse = z.output<typeof registerStateResponse>

/** The same with the user's role in the snapshot, on which the state is based; the role in the body may be outdated. */
export const registerStateByRole = registerStateResponse.extend({ role: z.int() })

/** The users that a restricted guest can see. */
export const guestVisibility = z.object({
  /** Besides themselves and all bots. */
  visible_user_ids: z.array(z.int()),
  /** The domain of the anonymous addresses of users that the guest can't see. */
  email_host: z.string(),
})

/** Whether register should return the data of this fetch type. */
export function wants(body: Pick<RegisterStateBody, 'fetch_event_types'>, fetchType: string): boolean {
  return body.fetch_event_types === null || body.fetch_event_types.includes(fetchType)
}
