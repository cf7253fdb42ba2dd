import { z } from 'zod'

/** Body and answer of asking a service what changed there since the cursor of an earlier answer; null: from the beginning. */
export const changesSince = <Changes extends z.ZodType>(
  changes: Changes,
): {
  body: z.ZodObject<{ since: z.ZodNullable<z.ZodString> }>
  response: z.ZodObject<{ cursor: z.ZodString; changes: z.ZodNullable<Changes> }>
} => ({
  body: z.object({ since: z.string().nullable() }),
  response: z.object({
    /** Where to go on: everything committed before it is in the answer. */
    cursor: z.string(),
    changes: changes.nullable(),
  }),
})
