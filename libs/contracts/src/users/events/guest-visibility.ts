import { z } from 'zod'
import { domainEvent } from '../../domain-event.ts'
import { userWithActivity } from '../records.ts'

/** Told only of what changed. Bots and oneself are always seen, so they are never among them. */
export const guestVisibilityChanged = domainEvent({
  name: 'users.guest_visibility_changed.v1',
  producer: 'users',
  summary: 'Guests whose sight is limited see other people than before',
  payload: z.object({
    guest_ids: z.array(z.int()),
    /** Whole records, with who may see the delivery e-mail (an `EmailVisibility`). At most 400. */
    gained: z.array(z.object({ user: userWithActivity, email_address_visibility: z.int() })),
    lost_user_ids: z.array(z.int()),
  }),
  audience: ({ guest_ids }) => [{ kind: 'users', userIds: guest_ids }],
})

/**
 * Their sight began or ceased to be limited, by what they are or by what the organization decided. Nearly everything
 * that their clients know of people is another then, so their queues end and they register again.
 */
export const guestRestrictionChanged = domainEvent({
  name: 'users.guest_restriction_changed.v1',
  producer: 'users',
  summary: 'Whether the sight of users is limited changed',
  payload: z.object({ user_ids: z.array(z.int()) }),
  audience: () => [],
})
