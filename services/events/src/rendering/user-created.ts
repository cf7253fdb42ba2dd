import { canSeeDeliveryEmail, domainEvents, unknownUser } from '@tms/contracts'
import { canSeeUser } from '../kernel/queue-state.ts'
import { cached, fieldsOf, present } from './presentation.ts'

/** Without and with the delivery e-mail. */
const WITHOUT_EMAIL = [{ index: 0, type: 'realm_user' }] as const
const WITH_EMAIL = [{ index: 1, type: 'realm_user' }] as const

/** For guests who can't see the user, and whose clients need a record of every user. */
const UNKNOWN = [{ index: 2, type: 'realm_user' }] as const

/** `realm_user` `add`, with the delivery e-mail for users who may see it at that moment. */
export const presentUserCreated = present(domainEvents.users.userCreated, {
  list: ({ user, projection }, queue) => {
    const { record } = queue
    if (!user.is_bot && !canSeeUser(queue, user.user_id)) {
      return record.client_capabilities.user_list_incomplete ? [] : UNKNOWN
    }
    const viewer = { userId: record.user_id, role: record.role }
    const owner = { id: user.user_id, emailAddressVisibility: projection.email_address_visibility }
    return canSeeDeliveryEmail(viewer, owner) ? WITH_EMAIL : WITHOUT_EMAIL
  },
  write: ({ user }, index, { unknown_email_host }, cache) =>
    cached(cache, `person:${index}`, () => {
      if (index === UNKNOWN[0].index) {
        const person = unknownUser(user.user_id, unknown_email_host, { withProfileData: true })
        return fieldsOf({ type: 'realm_user', op: 'add', person })
      }
      const delivery_email = index === WITH_EMAIL[0].index ? user.delivery_email : null
      return fieldsOf({ type: 'realm_user', op: 'add', person: { ...user, delivery_email } })
    }),
})
