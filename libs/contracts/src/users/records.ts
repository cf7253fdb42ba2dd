import { z } from 'zod'

/** A user as other users see it (API document, "User"). */
export const userRecord = z.object({
  user_id: z.int(),
  email: z.string(),
  delivery_email: z.string().nullable(),
  full_name: z.string(),
  role: z.int(),
  is_owner: z.boolean(),
  is_admin: z.boolean(),
  is_guest: z.boolean(),
  is_billing_admin: z.boolean(),
  is_bot: z.boolean(),
  bot_type: z.int().nullable(),
  bot_owner_id: z.int().nullable().optional(),
  timezone: z.string(),
  /** ISO 8601, UTC with offset. */
  date_joined: z.string(),
  avatar_url: z.string().nullable(),
  avatar_version: z.int(),
  profile_data: z
    .record(z.string(), z.object({ value: z.string(), rendered_value: z.string().optional() }))
    .optional(),
})
export type UserRecord = z.output<typeof userRecord>

/** A user with the activity flag that lists carry and register's two lists don't. */
export const userWithActivity = userRecord.extend({ is_active: z.boolean() })
export type UserWithActivity = z.output<typeof userWithActivity>

/**
 * What other services keep of a user. `version` grows with every change of the user, so a projection that
 * keeps the highest version it saw is right whatever order facts arrive in.
 */
export const userFacts = z.object({
  user_id: z.int(),
  realm_id: z.int(),
  email: z.string(),
  full_name: z.string(),
  role: z.int(),
  is_bot: z.boolean(),
  is_active: z.boolean(),
  /** Where the avatar is; the same value for clients that compute gravatars and those that don't. */
  avatar_url: z.string(),
  /** True when a client that asked for `client_gravatar` computes the avatar from the e-mail itself. */
  is_gravatar: z.boolean(),
  version: z.int(),
})
export type UserFacts = z.output<typeof userFacts>
