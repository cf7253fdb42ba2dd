import { blobStoreVariables } from '@tms/blob-store'
import {
  commonVariables,
  externalVariables,
  peerVariables,
  postgresUrl,
  quotaVariables,
} from '@tms/service-kit'
import { z } from 'zod'

/** The variables of messaging. */
export const configSchema = z.object({
  ...commonVariables,
  ...blobStoreVariables,
  ...quotaVariables,
  EXTERNAL_HOST: externalVariables.EXTERNAL_HOST,
  USERS_URL: peerVariables.USERS_URL,
  REALM_URL: peerVariables.REALM_URL,
  DATABASE_URL: postgresUrl("PostgreSQL, messaging's own database"),
  DATABASE_POOL_MAX: z.coerce
    .number()
    .int()
    .min(2)
    .max(500)
    .default(20)
    .describe('Connections to PostgreSQL per replica.'),
})
export type Config = z.output<typeof configSchema>
