import { blobStoreVariables } from '@tms/blob-store'
import { commonVariables, externalVariables, peerVariables } from '@tms/service-kit'
import { z } from 'zod'

/** Variables of the users service. */
export const configSchema = z.object({
  ...commonVariables,
  ...externalVariables,
  ...blobStoreVariables,
  REALM_URL: peerVariables.REALM_URL,
  MESSAGING_URL: peerVariables.MESSAGING_URL,
  DATABASE_URL: z
    .url()
    .describe('PostgreSQL of the users service, as postgres://user:password@host:port/database.'),
  DATABASE_POOL_MAX: z.coerce.number().int().min(2).default(10).describe('Connections of one replica.'),
  REDIS_URL: z.url().describe('Redis, as redis://:password@host:port.'),
  MAIL_URL: z
    .url({ protocol: /^(smtps?|file)$/ })
    .describe(
      'Where mails go: smtp://user:password@host:port, smtps://…, or file:///a/folder, a file for each.',
    ),
  MAIL_FROM: z.email().describe('Address that mails come from.'),
  DEVELOPMENT_LOGIN: z
    .stringbool()
    .default(false)
    .describe(
      "Gives anyone's API key to whoever asks, without a password: for development, never elsewhere.",
    ),
  PASSWORD_ATTEMPTS_MAX: z.coerce
    .number()
    .int()
    .min(1)
    .default(5)
    .describe('Wrong passwords that one user name may try within the window; then it has to wait.'),
  PASSWORD_ATTEMPTS_WINDOW_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_800)
    .describe('Seconds after which a wrong password is forgotten.'),
})
export type Config = z.output<typeof configSchema>
