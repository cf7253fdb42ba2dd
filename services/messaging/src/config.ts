import { blobStoreVariables } from '@tms/blob-store'
import {
  commonVariables,
  databaseVariables,
  externalVariables,
  peerVariables,
  postgresUrl,
  quotaVariables,
  redisUrl,
  webhookVariables,
} from '@tms/service-kit'
import { z } from 'zod'

/** Seconds as a list, a day at most each. */
const retryDelays = z
  .string()
  .transform((text) => (text.trim() === '' ? [] : text.split(',').map((part) => Number(part.trim() || '?'))))
  .refine(
    (delays) => delays.every((delay) => delay >= 0 && delay <= 86_400),
    'is no list of seconds, such as 2,10,60',
  )

/** The variables of messaging. */
export const configSchema = z.object({
  ...commonVariables,
  ...blobStoreVariables,
  ...quotaVariables,
  ...webhookVariables,
  WEBHOOK_RETRY_DELAYS: retryDelays
    .default([2, 10, 60])
    .describe(
      'Seconds before each further call of an outgoing webhook that did not answer, or answered with 408, 429 or 5xx, separated by commas. Set to nothing: no further calls.',
    )
    .meta({ takesEmpty: true }),
  MAX_WAITING_DELIVERIES: z.coerce
    .number()
    .int()
    .min(1)
    .default(10_000)
    .describe(
      'Deliveries to one incoming webhook that may wait because they came faster than RATE_LIMIT_PER_MINUTE lets it post; further ones are refused with 429.',
    ),
  EXTERNAL_HOST: externalVariables.EXTERNAL_HOST,
  USERS_URL: peerVariables.USERS_URL,
  REALM_URL: peerVariables.REALM_URL,
  DATABASE_URL: postgresUrl("PostgreSQL, messaging's own database"),
  ...databaseVariables,
  REDIS_URL: redisUrl('Redis over which changes of users and organizations are announced'),
  DATABASE_POOL_MAX: z.coerce
    .number()
    .int()
    .min(2)
    .max(500)
    .default(20)
    .describe('Connections to PostgreSQL per replica.'),
})
export type Config = z.output<typeof configSchema>
