import { canSeeDeliveryEmail, domainEvents, type PersonChange, type QueueRecord } from '@tms/contracts'
import { fieldsOf, present } from './presentation.ts'

/** What of a change a queue is told: all of it, or that the owner lost sight of it; null is nothing. */
type Telling = 'value' | 'lost' | null

/**
 * One `realm_user` `update` per change (API document, "Events"). The delivery e-mail goes to those who see it now,
 * as null to those who saw it before and don't any more.
 */
export const presentUserUpdated = present(domainEvents.users.userUpdated, {
  list: ({ user_id, changes }, { record }) =>
    changes.flatMap((change, at) => {
      const telling = tellingOf(change, user_id, record)
      return telling === null ? [] : [{ index: 2 * at + (telling === 'lost' ? 1 : 0), type: 'realm_user' }]
    }),
  write: ({ user_id, changes }, index) => {
    const change = changes[Math.floor(index / 2)]
    const person = change ? { user_id, ...formOf(change, index % 2 === 1) } : { user_id }
    return fieldsOf({ type: 'realm_user', op: 'update', person })
  },
})

function tellingOf(change: PersonChange, userId: number, record: QueueRecord): Telling {
  if (change.kind !== 'delivery_email') return 'value'
  const viewer = { userId: record.user_id, role: record.role }
  const sees = ({ visibility }: { visibility: number }) =>
    canSeeDeliveryEmail(viewer, { id: userId, emailAddressVisibility: visibility })
  const { before, after } = change
  if (!sees(after)) return sees(before) ? 'lost' : null
  return sees(before) && before.delivery_email === after.delivery_email ? null : 'value'
}

function formOf(change: PersonChange, isLost: boolean): Record<string, unknown> {
  switch (change.kind) {
    case 'delivery_email':
      return { delivery_email: isLost ? null : change.after.delivery_email }
    case 'role':
      return { role: change.role }
    default: {
      const { kind: _, ...fields } = change
      return fields
    }
  }
}
