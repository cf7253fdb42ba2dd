import { domainEvents, Role } from '@tms/contracts'
import { cached, fieldsOf, present } from './presentation.ts'

/** `realm_user` `add`. The delivery e-mail goes to those who may see it: everyone where it is the API e-mail, else administrators. */
export const presentUserCreated = present(domainEvents.users.userCreated, {
  list: () => [{ index: 0, type: 'realm_user' }],
  write: ({ user }, _index, queue, cache) => {
    const seesDelivery = user.delivery_email === user.email || queue.role <= Role.administrator
    return cached(cache, `person:${seesDelivery}`, () => {
      const delivery_email = seesDelivery ? user.delivery_email : null
      return fieldsOf({ type: 'realm_user', op: 'add', person: { ...user, delivery_email } })
    })
  },
})
