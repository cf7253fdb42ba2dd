import { z } from 'zod'

/** How one configured way to sign in fared. */
export const signOnCheck = z.object({
  /** Such as `ldap:corp`, `oidc:oidc` or `google`. */
  method: z.string(),
  is_working: z.boolean(),
  /** In the order in which they were tried; the last one is wrong if something is. */
  steps: z.array(z.object({ outcome: z.enum(['ok', 'note', 'wrong']), text: z.string() })),
})
export type SignOnCheck = z.output<typeof signOnCheck>
