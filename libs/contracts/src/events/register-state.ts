import { z } from 'zod'
import { JsonText } from '../json-text.ts'

/** Booleans that a client declares at register; unknown names are kept out, missing ones are false. */
export const clientCapabilities = z.object({
  notification_settings_null: z.boolean().default(false),
  bulk_message_deletion: z.boolean().default(false),
  user_avatar_url_field_optional: z.boolean().default(false),
  stream_typing_notifications: z.boolean().default(false),
  user_settings_object: z.boolean().default(false),
  linkifier_url_template: z.boolean().default(false),
  user_list_incomplete: z.boolean().default(false),
})
export type ClientCapabilities = z.output<typeof clientCapabilities>

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
export const guestSight = z.object({
  /** Besides themselves and all bots. */
  seen_user_ids: z.array(z.int()),
  /** What the addresses of those end in whom the guest doesn't see. */
  email_host: z.string(),
})

/** Whether register should return the data of this fetch type. */
export function wants(body: Pick<RegisterStateBody, 'fetch_event_types'>, fetchType: string): boolean {
  return body.fetch_event_types === null || body.fetch_event_types.includes(fetchType)
}
