import { z } from 'zod'
import { internalEndpoint } from '../endpoint.ts'

/** A live event queue, for operators: whose it is and how far its client is behind. */
const queueStatus = z.object({
  queue_id: z.string(),
  realm_id: z.int(),
  user_id: z.int(),
  partition: z.int(),
  /** Null is all. */
  event_types: z.array(z.string()).nullable(),
  /** Events that wait for the client to acknowledge them. */
  waiting: z.int(),
  /** The last event ID that the client acknowledged; -1 if none. */
  acknowledged: z.int(),
  /** UNIX seconds at which it ends unless its client polls. */
  ends_at: z.int(),
})
export type QueueStatus = z.output<typeof queueStatus>

/** The live event queues, of one organization or user if one is named, by user. */
export const listQueues = internalEndpoint({
  name: 'listQueues',
  owner: 'events',
  path: '/internal/queues',
  body: z.object({ realm_id: z.int().optional(), user_id: z.int().optional() }),
  response: z.object({ queues: z.array(queueStatus) }),
})

/** Where the log ends, and how far each partition has come in it. Errors: SERVICE_UNAVAILABLE without the broker. */
export const describeLog = internalEndpoint({
  name: 'describeLog',
  owner: 'events',
  path: '/internal/log',
  body: z.object({}),
  response: z.object({
    /** Offset of the newest entry. */
    end: z.int(),
    /** Replicas of events that live, each called by its host's name, a hyphen, and what tells it from others there. */
    replicas: z.array(z.string()),
    partitions: z.array(
      z.object({
        partition: z.int(),
        /** The replica that feeds its queues; null while nobody does. */
        owner: z.string().nullable(),
        /** Offset up to which its queues are fed; null for one that never had an owner. */
        offset: z.int().nullable(),
        queues: z.int(),
      }),
    ),
  }),
})
