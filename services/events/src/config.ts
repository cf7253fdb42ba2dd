import { commonVariables, peerVariables, redisUrl } from '@tms/service-kit'
import { z } from 'zod'

export const configSchema = z.object({
  ...commonVariables,
  USERS_URL: peerVariables.USERS_URL,
  REALM_URL: peerVariables.REALM_URL,
  MESSAGING_URL: peerVariables.MESSAGING_URL,
  REDIS_URL: redisUrl('Redis that keeps the event queues'),
  EVENTS_PARTITIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1024)
    .default(16)
    .describe(
      'Number of partitions that users hash to. Changing it drops all queues; clients register again.',
    ),
  EVENTS_MAX_BACKLOG: z.coerce
    .number()
    .int()
    .min(100)
    .default(20_000)
    .describe('Undelivered events at which a queue is dropped; its client registers again.'),
  EVENTS_MAX_QUEUES_PER_USER: z.coerce
    .number()
    .int()
    .min(1)
    .default(200)
    .describe('Live queues of one user beyond which those that went unpolled longest are dropped.'),
})
export type Config = z.output<typeof configSchema>
