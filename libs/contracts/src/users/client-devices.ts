import { z } from 'zod'

/** Why a client's token was not registered. */
export const pushRegistrationError = z.enum([
  'INVALID_BOUNCER_PUBLIC_KEY',
  'INVALID_ENCRYPTED_PUSH_REGISTRATION',
  'REQUEST_EXPIRED',
])
export type PushRegistrationError = z.output<typeof pushRegistrationError>

/** A client that gets encrypted notifications, or is about to, as its owner sees it. */
export const clientDevice = z.object({
  push_key_id: z.int().nullable().describe('The number of the key that notifications are encrypted with.'),
  push_token_id: z
    .string()
    .nullable()
    .describe('The ID of the token that notifications are sent to; null if there is none (any more).'),
  pending_push_token_id: z.string().nullable().describe('The ID of a token that is being registered.'),
  push_token_last_updated_timestamp: z
    .int()
    .nullable()
    .describe('When the token was registered last, in UNIX seconds.'),
  push_registration_error_code: pushRegistrationError
    .nullable()
    .describe('Why the latest registration failed; null if it did not.'),
})
export type ClientDevice = z.output<typeof clientDevice>
