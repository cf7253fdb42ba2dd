import { z } from 'zod'
import { tokenScopes } from '../declarations/token-scope.ts'

export const tokenScope = z.enum(tokenScopes)

/** An API token, as those see it who may revoke it; the token itself is shown once, by the answer that creates it. */
export const apiTokenRecord = z.object({
  id: z.int(),
  user_id: z.int().describe('The user or bot that the token acts as.'),
  name: z.string(),
  scopes: z.array(tokenScope),
  channel_ids: z
    .array(z.int())
    .nullable()
    .describe('The only channels that it reaches, ascending; null if it is not limited to channels.'),
  date_created: z.int().describe('UNIX seconds.'),
  expires_at: z.int().nullable().describe('UNIX seconds; null if it never expires.'),
  last_used: z.int().nullable().describe('UNIX seconds, up to an hour behind; null if it has not been used.'),
})
export type ApiTokenRecord = z.output<typeof apiTokenRecord>
