import { z } from 'zod'
import { internalEndpoint } from '../../declarations/endpoint.ts'

/** A live event queue, for operators: its owner and how far its client is behind. */
const queueStatus = z.object({
  queue_id: z.string(),
  realm_id: z.int(),
  user_id: z.int(),
  partition: z.int(),
  /** Null means all. */
  event_types: z.array(z.string()).nullable(),
  /** Events that the client hasn't acknowledged. */
  waiting: z.int(),
  /** The last event ID that the client acknowledged; -1 if none. */
  acknowledged: z.int(),
  /** UNIX seconds at which it is deleted unless its client polls. */
  ends_at: z.int(),
})
export type QueueStatus = z.output<typeof queueStatus>

/** The live event queues, optionally of one organization or user, by user. */
export const listQueues = internalEndpoint({
  name: 'listQueues',
  owner: 'events',
  path: '/internal/queues',
  body: z.object({ realm_id: z.int().optional(), user_id: z.int().optional() }),
  response: z.object({ queues: z.array(queueStatus) }),
})

/** The end of the log, and the progress of each partition. Errors: SERVICE_UNAVAILABLE without the broker. */
export const describeLog = internalEndpoint({
  name: 'describeLog',
  owner: 'events',
  path: '/internal/log',
  body: z.object({}),
  response: z.object({
    /** Offset of the newest entry. */
    end: z.int(),
    /** Live replicas of events, each named by its host, a hyphen, and a suffix. */
    replicas: z.array(z.string()),
    partitions: z.array(
      z.object({
        partition: z.int(),
        /** The replica that owns the partition; null if none does. */
        owner: z.string().nullable(),
        /** Offset up to which its queues have received events; null if it never had an owner. */
        offset: z.int().nullable(),
        queues: z.int(),
      }),
    ),
  }),
})
