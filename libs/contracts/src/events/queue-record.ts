import { z } from 'zod'
import { clientCapabilities, guestVisibility } from '../register/register-state.ts'

/**
 * Everything that determines which events a queue receives and in which form. Stored with the queue until it is
 * deleted.
 */
export const queueRecord = z.object({
  queue_id: z.string(),
  realm_id: z.int(),
  user_id: z.int(),
  /** The owner's role, which selects events of users and realm. */
  role: z.int(),
  /**
   * The owner's role as far as messaging has acted on it, which selects messaging's events. Each source's events have
   * an order of their own, so each has to change the role at its own position among them.
   */
  channel_role: z.int(),
  /** Exact event types to queue; null means all. */
  event_types: z.array(z.string()).nullable(),
  narrow: z.array(z.tuple([z.string(), z.string()])),
  all_public_streams: z.boolean(),
  apply_markdown: z.boolean(),
  client_gravatar: z.boolean(),
  slim_presence: z.boolean(),
  include_subscribers: z.boolean(),
  client_capabilities: clientCapabilities,
  lifespan_seconds: z.int(),
  /** A queue of an API token: gets no events of bots, which contain their API keys. */
  hides_keys: z.boolean().optional(),
  /** Channels that the owner was subscribed to in messaging's snapshot. */
  channel_ids: z.array(z.int()),
  /** The users that the owner could see in users' snapshot; null if the owner isn't restricted. */
  guest_visibility: guestVisibility.nullable(),
  /** Snapshot of each source that returned state: an event whose transaction is visible in it isn't delivered. */
  snapshots: z.record(z.string(), z.string()),
})
export type QueueRecord = z.output<typeof queueRecord>
