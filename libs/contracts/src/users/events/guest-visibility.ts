import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { userWithActivity } from '../records.ts'

/** Contains only changes. Bots and the guest's own account are always visible, so they are never included. */
export const guestVisibilityChanged = domainEvent({
  name: 'users.guest_visibility_changed.v1',
  producer: 'users',
  summary: 'The users that restricted guests can see changed',
  payload: z.object({
    guest_ids: z.array(z.int()),
    /** Whole records, with the visibility of the delivery e-mail (an `EmailVisibility`). At most 400. */
    gained: z.array(z.object({ user: userWithActivity, email_address_visibility: z.int() })),
    lost_user_ids: z.array(z.int()),
  }),
  audience: ({ guest_ids }) => [{ kind: 'users', userIds: guest_ids }],
  audit: { none: 'It follows from changes that have their entries.' },
})

/**
 * Guests became restricted or unrestricted, by their role or by the organization's setting. Nearly everything that
 * their clients know of users changes, so their queues are deleted and they register again.
 */
export const guestRestrictionChanged = domainEvent({
  name: 'users.guest_restriction_changed.v1',
  producer: 'users',
  summary: 'Guests became restricted or unrestricted in which users they can see',
  payload: z.object({ user_ids: z.array(z.int()) }),
  audience: () => [],
  audit: { none: 'It follows from changes that have their entries.' },
})
