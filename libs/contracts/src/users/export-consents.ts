import { z } from 'zod'

/** Whether a user lets their private data be exported. */
export const exportConsent = z.object({ user_id: z.int(), consented: z.boolean() })
export type ExportConsent = z.output<typeof exportConsent>
