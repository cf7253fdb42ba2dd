import { z } from 'zod'
import { limits } from '../declarations/limits.ts'

/**
 * A value of a profile field (API document, "Custom profile field data"): a text, or for users a list of IDs, which
 * may also be JSON text; null, an empty text or an empty list clears.
 */
export const profileValue = z.object({
  id: z.int(),
  value: z.union([z.string(), z.array(z.int()).max(limits.maxListLength), z.null()]),
})
export type ProfileValue = z.output<typeof profileValue>
