import { z } from 'zod'
import { clientCapabilities, guestVisibility } from './register-state.ts'

/** Everything that decides what a queue gets and in which form. Kept with the queue until it closes. */
export const queueRecord = z.object({
  queue_id: z.string(),
  realm_id: z.int(),
  user_id: z.int(),
  /** The owner's role, by which it is chosen what users and realm tell. */
  role: z.int(),
  /**
   * The owner's role as far as messaging has acted on it, by which it is chosen what messaging tells. Each source's
   * events are in an order of their own, so each has to change the role at its own place among them.
   */
  channel_role: z.int(),
  /** Exact event types to queue; null is all. */
  event_types: z.array(z.string()).nullable(),
  narrow: z.array(z.tuple([z.string(), z.string()])),
  all_public_streams: z.boolean(),
  apply_markdown: z.boolean(),
  client_gravatar: z.boolean(),
  slim_presence: z.boolean(),
  include_subscribers: z.boolean(),
  client_capabilities: clientCapabilities,
  lifespan_seconds: z.int(),
  /** Channels that the owner was subscribed to in messaging's snapshot. */
  channel_ids: z.array(z.int()),
  /** Whom the owner saw in users' snapshot; null for everyone whose sight isn't limited. */
  guest_visibility: guestVisibility.nullable(),
  /** Snapshot of each source that was asked for state: an event whose transaction it shows isn't delivered. */
  snapshots: z.record(z.string(), z.string()),
})
export type QueueRecord = z.output<typeof queueRecord>
