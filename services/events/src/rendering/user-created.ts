import { canSeeDeliveryEmail, domainEvents } from '@tms/contracts'
import { cached, fieldsOf, present } from './presentation.ts'

/** Without and with the delivery e-mail. */
const HIDDEN = [{ index: 0, type: 'realm_user' }] as const
const SEEN = [{ index: 1, type: 'realm_user' }] as const

/** `realm_user` `add`, with the delivery e-mail for those who may see it at that moment. */
export const presentUserCreated = present(domainEvents.users.userCreated, {
  list: ({ user, facts }, { record }) => {
    const viewer = { userId: record.user_id, role: record.role }
    const owner = { id: user.user_id, emailAddressVisibility: facts.email_address_visibility }
    return canSeeDeliveryEmail(viewer, owner) ? SEEN : HIDDEN
  },
  write: ({ user }, index, _queue, cache) =>
    cached(cache, `person:${index}`, () => {
      const delivery_email = index === SEEN[0].index ? user.delivery_email : null
      return fieldsOf({ type: 'realm_user', op: 'add', person: { ...user, delivery_email } })
    }),
})
