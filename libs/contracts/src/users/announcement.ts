import { z } from 'zod'

/** An operator's own mail to users of an organization. */
export const announcement = z.object({
  realm_id: z.int(),
  subject: z
    .string()
    .trim()
    .min(1, 'it is empty')
    .max(200, 'it has more than 200 characters')
    .regex(/^[^\p{Cc}]*$/u, 'it has more than a line'),
  text: z
    .string()
    .trim()
    .min(1, 'it is empty')
    .max(100_000, 'it has more than 100,000 characters')
    // No database stores U+0000, and no mail shows the others.
    .refine((text) => !/[^\P{Cc}\t\n\r]/u.test(text), 'it has control characters; is it text in UTF-8?'),
  /** Whether the text is Markdown. */
  is_markdown: z.boolean(),
  /** Owners and administrators only, or everybody. */
  audience: z.enum(['administrators', 'everyone']),
})
export type Announcement = z.output<typeof announcement>
