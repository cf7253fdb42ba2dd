import { domainEvents } from '@tms/contracts'
import { fieldsOf, present } from './presentation.ts'

/** A change of muting is sent twice: first under its legacy name, which has the opposite value. */
const LEGACY = { index: 0, type: 'subscription' } as const
const CHANGE = { index: 1, type: 'subscription' } as const

export const presentSubscriptionUpdated = present(domainEvents.messaging.subscriptionUpdated, {
  list: ({ property }) => (property === 'is_muted' ? [LEGACY, CHANGE] : [CHANGE]),
  write: ({ stream_id, property, value }, index) =>
    fieldsOf({
      type: 'subscription',
      op: 'update',
      stream_id,
      ...(index === LEGACY.index ? { property: 'in_home_view', value: !value } : { property, value }),
    }),
})
