import { z } from 'zod'

/**
 * What messaging knows of whom guests see, in an organization that limits it: those with whom they share a channel or
 * a direct conversation. That they see bots and themselves is for who looks at it.
 */
export const guestVisibilityChange = z.discriminatedUnion('kind', [
  /** The organization begins or ceases to limit it. Before it begins, everyone's sight has been told. */
  z.object({ kind: z.literal('policy'), is_limited: z.boolean() }),
  /** Each of these guests sees each of these users. */
  z.object({ kind: z.literal('gained'), guest_ids: z.array(z.int()), user_ids: z.array(z.int()) }),
  /** A guest no longer sees these users. */
  z.object({ kind: z.literal('lost'), guest_id: z.int(), user_ids: z.array(z.int()) }),
  /** A guest sees these users and nobody else. */
  z.object({ kind: z.literal('whole'), guest_id: z.int(), user_ids: z.array(z.int()) }),
])
export type GuestVisibilityChange = z.output<typeof guestVisibilityChange>
