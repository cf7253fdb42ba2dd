import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { queueRecord } from '../queue-record.ts'

/** Step 3 of the register hand-off: from here on, the partition's owner delivers events to the queue. */
export const queueOpened = domainEvent({
  name: 'events.queue_opened.v1',
  producer: 'events',
  summary: 'A client registered an event queue',
  payload: z.object({
    queue: queueRecord,
    /** Log offset that the registering replica had read before it requested the state. */
    since: z.int(),
    /** Sequence numbers of the streams at that offset; absent in events of older releases. */
    positions: z.record(z.string(), z.int()).optional(),
  }),
  audience: () => [],
  audit: { none: 'Reading is no change, and clients register again all the time.' },
})

/** The client deleted the queue. */
export const queueClosed = domainEvent({
  name: 'events.queue_closed.v1',
  producer: 'events',
  summary: 'A client deleted its event queue',
  payload: z.object({ queue_id: z.string(), user_id: z.int() }),
  audience: () => [],
  audit: { none: 'Reading is no change.' },
})

/** Written by a replica that has to find the end of the log: it reads up to its own marker. */
export const logMarked = domainEvent({
  name: 'events.log_marked.v1',
  producer: 'events',
  summary: 'A replica marked the end of the log',
  payload: z.object({ marker: z.string() }),
  audience: () => [],
  audit: { none: 'It is about no organization.' },
})

/** Queues outlive upgrades, so register's answer may describe an older release. */
export const releaseChanged = domainEvent({
  name: 'events.release_changed.v1',
  producer: 'events',
  summary: 'The service was upgraded',
  payload: z.object({
    version: z.string(),
    feature_level: z.int(),
    merge_base: z.string(),
    generation: z.int(),
  }),
  audience: () => [{ kind: 'everyone' }],
  audit: { none: 'It is about the installation, not about an organization.' },
})
