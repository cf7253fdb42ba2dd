import { canSeeDeliveryEmail, domainEvents } from '@tms/contracts'
import { cached, fieldsOf, present } from './presentation.ts'

/** `realm_user` `add`, with the delivery e-mail for those who may see it. */
export const presentUserCreated = present(domainEvents.users.userCreated, {
  list: () => [{ index: 0, type: 'realm_user' }],
  write: ({ user, facts }, _index, queue, cache) => {
    const viewer = { userId: queue.user_id, role: queue.role }
    const owner = { id: user.user_id, emailAddressVisibility: facts.email_address_visibility }
    const seesDelivery = canSeeDeliveryEmail(viewer, owner)
    return cached(cache, `person:${seesDelivery}`, () => {
      const delivery_email = seesDelivery ? user.delivery_email : null
      return fieldsOf({ type: 'realm_user', op: 'add', person: { ...user, delivery_email } })
    })
  },
})
