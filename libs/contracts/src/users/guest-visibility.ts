import { z } from 'zod'

/**
 * Messaging's knowledge of the users that guests can see, in an organization that restricts it: users who share a
 * channel or a direct conversation with the guest. Bots and the guest's own account are added by the reader.
 */
export const guestVisibilityChange = z.discriminatedUnion('kind', [
  /**
   * The organization starts or stops restricting guests. Before it starts, every guest's visible users have been
   * published.
   */
  z.object({ kind: z.literal('policy'), is_limited: z.boolean() }),
  /** Each of these guests can see each of these users. */
  z.object({ kind: z.literal('gained'), guest_ids: z.array(z.int()), user_ids: z.array(z.int()) }),
  /** A guest can't see these users any more. */
  z.object({ kind: z.literal('lost'), guest_id: z.int(), user_ids: z.array(z.int()) }),
  /** A guest can see exactly these users. */
  z.object({ kind: z.literal('whole'), guest_id: z.int(), user_ids: z.array(z.int()) }),
])
export type GuestVisibilityChange = z.output<typeof guestVisibilityChange>
