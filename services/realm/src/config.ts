import { blobStoreVariables } from '@tms/blob-store'
import { fullExportRoles } from '@tms/contracts'
import {
  commonVariables,
  databaseVariables,
  externalVariables,
  peerVariables,
  postgresUrl,
  quotaVariables,
  redisUrl,
} from '@tms/service-kit'
import { z } from 'zod'

/** Variables of the realm service. */
export const configSchema = z.object({
  ...commonVariables,
  ...externalVariables,
  ...quotaVariables,
  ...blobStoreVariables,
  USERS_URL: peerVariables.USERS_URL,
  MESSAGING_URL: peerVariables.MESSAGING_URL,
  DATABASE_URL: postgresUrl('PostgreSQL of the realm service'),
  REDIS_URL: redisUrl('Redis over which changes are announced'),
  FULL_EXPORTS: z
    .enum(Object.keys(fullExportRoles) as (keyof typeof fullExportRoles)[])
    .default('owners')
    .describe('Who of an organization may export everything in it, private messages too.'),
  MAX_EXPORTS_PER_WEEK: z.coerce
    .number()
    .int()
    .min(0)
    .default(5)
    .describe('How often an organization can be exported within 7 days.'),
  BIG_BLUE_BUTTON_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Where BigBlueButton is, as `bbb-conf --secret` prints it there; absent: calls are held with Jitsi alone.',
    )
    .meta({ needs: ['BIG_BLUE_BUTTON_SECRET'] }),
  BIG_BLUE_BUTTON_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The secret of BigBlueButton, by which it knows who asks; links to calls are signed with it, too.',
    )
    .meta({ needs: ['BIG_BLUE_BUTTON_URL'] }),
  ...databaseVariables,
  DATABASE_POOL_MAX: z.coerce.number().int().min(2).default(10).describe('Connections of one replica.'),
})
export type Config = z.output<typeof configSchema>
