import { z } from 'zod'

/** Body of the calls by which the events service reads the state for spectators from its owners. */
export const spectatorStateBody = z.object({
  realm_id: z.int(),
  /** Null means all. */
  fetch_event_types: z.array(z.string()).nullable(),
})
