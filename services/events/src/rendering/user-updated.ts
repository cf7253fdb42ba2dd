import { canSeeDeliveryEmail, domainEvents, type QueueRecord, type UserChange } from '@tms/contracts'
import { fieldsOf, present } from './presentation.ts'

/** How a change is delivered: with its value, or as 'lost' if the queue's owner may no longer see it. Null isn't delivered. */
type DeliveredForm = 'value' | 'lost' | null

/**
 * One `realm_user` `update` per change (API document, "Events"). The delivery e-mail goes to users who may see it now, and as
 * null to users who no longer may.
 */
export const presentUserUpdated = present(domainEvents.users.userUpdated, {
  list: ({ user_id, changes }, { record }) =>
    changes.flatMap((change, at) => {
      const form = formOf(change, user_id, record)
      return form === null ? [] : [{ index: 2 * at + (form === 'lost' ? 1 : 0), type: 'realm_user' }]
    }),
  write: ({ user_id, changes }, index) => {
    const change = changes[Math.floor(index / 2)]
    const person = change ? { user_id, ...fieldsOfChange(change, index % 2 === 1) } : { user_id }
    return fieldsOf({ type: 'realm_user', op: 'update', person })
  },
})

function formOf(change: UserChange, userId: number, record: QueueRecord): DeliveredForm {
  if (change.kind !== 'delivery_email') return 'value'
  const viewer = { userId: record.user_id, role: record.role }
  const canSee = ({ visibility }: { visibility: number }) =>
    canSeeDeliveryEmail(viewer, { id: userId, emailAddressVisibility: visibility })
  const { before, after } = change
  if (!canSee(after)) return canSee(before) ? 'lost' : null
  return canSee(before) && before.delivery_email === after.delivery_email ? null : 'value'
}

function fieldsOfChange(change: UserChange, isLost: boolean): Record<string, unknown> {
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
