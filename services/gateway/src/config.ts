import {
  commonVariables,
  externalVariables,
  peerVariables,
  privateKey,
  redisUrl,
  tracingVariables,
} from '@tms/service-kit'
import { z } from 'zod'

const { HOST, PORT, LOG_LEVEL, NAMESPACE, INTERNAL_PRIVATE_KEY } = commonVariables

export const configSchema = z.object({
  HOST,
  PORT,
  LOG_LEVEL,
  NAMESPACE,
  INTERNAL_PRIVATE_KEY,
  ...tracingVariables,
  ...peerVariables,
  EXTERNAL_SCHEME: externalVariables.EXTERNAL_SCHEME,
  JWT_PRIVATE_KEY: privateKey.describe('Signs the tokens by which services know the caller (PEM).'),
  REDIS_URL: redisUrl('Redis, where replicas count calls together; without it nothing is limited'),
  RATE_LIMIT_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(0)
    .default(200)
    .describe('Calls that one user may make in a minute; 0 is no limit.'),
  FAILED_LOGINS_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(0)
    .default(20)
    .describe('Refused credentials that one address may send in a minute; 0 is no limit.'),
  TRUST_PROXY: z
    .stringbool()
    .default(false)
    .describe('Believe x-forwarded-for, -host and -proto; only behind a proxy that sets them.'),
})
export type Config = z.output<typeof configSchema>
