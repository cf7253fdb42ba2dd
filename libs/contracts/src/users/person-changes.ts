import { z } from 'zod'

/** A delivery e-mail with its visibility (an `EmailVisibility`). */
const address = z.object({ delivery_email: z.string(), visibility: z.int() })

/**
 * Changes of a user, each a form of `person` in `realm_user` `update` (API document, "Events"). `delivery_email` has
 * both states, because each viewer's event depends on what they could see and can see.
 */
export const personChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('full_name'), full_name: z.string() }),
  z.object({ kind: z.literal('role'), role: z.int(), previous_role: z.int() }),
  z.object({ kind: z.literal('is_active'), is_active: z.boolean() }),
  z.object({ kind: z.literal('bot_owner_id'), bot_owner_id: z.int().nullable() }),
  z.object({ kind: z.literal('delivery_email'), before: address, after: address }),
  z.object({ kind: z.literal('new_email'), new_email: z.string() }),
  z.object({
    kind: z.literal('avatar'),
    avatar_source: z.string(),
    avatar_url: z.string(),
    avatar_url_medium: z.string(),
    avatar_version: z.int(),
  }),
  z.object({
    kind: z.literal('custom_profile_field'),
    custom_profile_field: z.object({
      id: z.int(),
      /** Null if it was cleared. */
      value: z.string().nullable(),
      /** HTML, for types that render Markdown. */
      rendered_value: z.string().nullable().optional(),
    }),
  }),
])
export type UserChange = z.output<typeof personChange>
