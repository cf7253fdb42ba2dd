import { z } from 'zod'
import { JsonText } from '../json-text.ts'

/** What a client can do, as it declares at register; and what it gets then. */
const capabilities = {
  notification_settings_null:
    "In register's answer, settings of a subscription that follow the account's are null; otherwise they are the account's, all but `wildcard_mentions_notify`. Events have null whatever is declared.",
  bulk_message_deletion:
    '`delete_message` events name several messages, in `message_ids`; otherwise one each, in `message_id`.',
  user_avatar_url_field_optional:
    'Accounts may come without `avatar_url`, which the client computes. Every account has one here.',
  stream_typing_notifications: '`typing` events of channels come.',
  user_settings_object:
    'Settings come in `user_settings` and its events alone; otherwise the older ones also by themselves in the answer, and as the deprecated events `update_display_settings` and `update_global_notifications`.',
  linkifier_url_template:
    '`realm_linkifiers` has the linkifiers, and its events come; otherwise it is empty, and none come.',
  user_list_incomplete:
    "People whom a guest can't see are left out; otherwise they are there, without anything that tells who they are.",
} as const
type Capability = keyof typeof capabilities

/** The same for every capability, given what it brings. */
export const forEachCapability = <T>(of: (description: string) => T): Record<Capability, T> =>
  Object.fromEntries(
    Object.entries(capabilities).map(([name, description]) => [name, of(description)]),
  ) as Record<Capability, T>

/** What was declared; unknown names are kept out, missing ones are false. */
export const clientCapabilities = z.object(forEachCapability(() => z.boolean().default(false)))
export type ClientCapabilities = z.output<typeof clientCapabilities>

/** As a client declares them; those of clients newer than this service may be any. */
export const declaredCapabilities = z
  .object(forEachCapability((description) => z.boolean().optional().describe(description)))
  .catchall(z.boolean())

/** What the events service asks of an owner during the register hand-off. */
export const registerStateBody = z.object({
  realm_id: z.int(),
  user_id: z.int(),
  /** As of signing in; owners that know of it better go by what they know. */
  role: z.int(),
  /** Initial data to return, by fetch type; null means everything (API document, register). */
  fetch_event_types: z.array(z.string()).nullable(),
  client_gravatar: z.boolean(),
  include_subscribers: z.boolean(),
  slim_presence: z.boolean(),
  client_capabilities: clientCapabilities,
})
export type RegisterStateBody = z.output<typeof registerStateBody>

/**
 * State read in one repeatable-read transaction, with that transaction's `pg_current_snapshot()` as text
 * (`xmin:xmax:xip,…`): exactly the transactions visible in the snapshot are in the state.
 */
export const registerStateResponse = z.object({
  snapshot: z.string(),
  /** Fields of register's answer, which no other owner's state has. */
  state: z.instanceof(JsonText),
})
export type RegisterStateResponse = z.output<typeof registerStateResponse>

/** The same with the user's role in the snapshot, by which the state was made; that told in the body may be over. */
export const registerStateByRole = registerStateResponse.extend({ role: z.int() })

/** Whom a guest sees whose sight is limited. */
export const guestVisibility = z.object({
  /** Besides themselves and all bots. */
  visible_user_ids: z.array(z.int()),
  /** What the addresses of those end in whom the guest doesn't see. */
  email_host: z.string(),
})

/** Whether register should return the data of this fetch type. */
export function wants(body: Pick<RegisterStateBody, 'fetch_event_types'>, fetchType: string): boolean {
  return body.fetch_event_types === null || body.fetch_event_types.includes(fetchType)
}
