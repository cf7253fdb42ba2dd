import { z } from 'zod'

/** Deletes what a service has of a deactivated organization, for some seconds; repeated until nothing is left. */
export const deletionSchemas = {
  body: z.object({ realm_id: z.int() }),
  response: z.object({
    /** Rows and files that this call deleted. */
    deleted: z.int(),
    is_done: z.boolean(),
  }),
} as const
