import { z } from 'zod'

/**
 * Body and answer of a query for a service's changes since the cursor of an earlier answer; null means from the
 * beginning.
 */
export const changesSince = <Changes extends z.ZodType>(
  changes: Changes,
): {
  body: z.ZodObject<{ since: z.ZodNullable<z.ZodString> }>
  response: z.ZodObject<{ cursor: z.ZodString; changes: z.ZodNullable<Changes> }>
} => ({
  body: z.object({ since: z.string().nullable() }),
  response: z.object({
    /** Cursor for the next query: everything committed before it is in the answer. */
    cursor: z.string(),
    changes: changes.nullable(),
  }),
})
