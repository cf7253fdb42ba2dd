import { blobStoreVariables } from '@tms/blob-store'
import { auditRetentionDays, fullExportRoles } from '@tms/contracts'
import {
  commonVariables,
  databaseVariables,
  digestVariables,
  externalVariables,
  peerVariables,
  postgresUrl,
  pushVariables,
  quotaVariables,
  redisUrl,
  signOnVariables,
} from '@tms/service-kit'
import { z } from 'zod'

/** Variables of the realm service. */
export const configSchema = z.object({
  ...commonVariables,
  ...externalVariables,
  ...quotaVariables,
  ...signOnVariables,
  ...pushVariables,
  ...digestVariables,
  ...blobStoreVariables,
  USERS_URL: peerVariables.USERS_URL,
  MESSAGING_URL: peerVariables.MESSAGING_URL,
  DATABASE_URL: postgresUrl('PostgreSQL of the realm service'),
  REDIS_URL: redisUrl('Redis, through which changes are announced'),
  FULL_EXPORTS: z
    .enum(Object.keys(fullExportRoles) as (keyof typeof fullExportRoles)[])
    .default('owners')
    .describe('Which users of an organization may export everything in it, private messages too.'),
  MAX_EXPORTS_PER_WEEK: z.coerce
    .number()
    .int()
    .min(0)
    .default(5)
    .describe('How often an organization can be exported within 7 days.'),
  MIN_DELETION_DELAY_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(14)
    .describe(
      'How many days owners must let pass between the deactivation of their organization and its deletion; `delete-organization` of `manage` lets none pass.',
    ),
  MAX_DELETION_DELAY_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .optional()
    .transform((value) => value ?? null)
    .describe(
      'After how many days at the latest an organization is deleted that its owner deactivates; absent: owners may keep its data. It counts as the minimum if it is below that.',
    ),
  MIN_AUDIT_LOG_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(auditRetentionDays.min)
    .max(auditRetentionDays.max)
    .default(auditRetentionDays.min)
    .describe(
      'For how many days at least entries of audit logs are kept, also where an organization chose less before this was raised.',
    ),
  BIG_BLUE_BUTTON_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('URL of BigBlueButton, as `bbb-conf --secret` prints it there; absent: calls use only Jitsi.')
    .meta({ needs: ['BIG_BLUE_BUTTON_SECRET'] }),
  BIG_BLUE_BUTTON_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('The secret of BigBlueButton, which signs requests to it and links to calls.')
    .meta({ needs: ['BIG_BLUE_BUTTON_URL'] }),
  ...databaseVariables,
  DATABASE_POOL_MAX: z.coerce.number().int().min(2).default(10).describe('Connections of one replica.'),
})
export type Config = z.output<typeof configSchema>
