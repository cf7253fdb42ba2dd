import { canSeeDeliveryEmail, domainEvents, unknownUser } from '@tms/contracts'
import { seesPerson } from '../partitions/queue-state.ts'
import { cached, fieldsOf, present } from './presentation.ts'

/** Without and with the delivery e-mail. */
const HIDDEN = [{ index: 0, type: 'realm_user' }] as const
const SEEN = [{ index: 1, type: 'realm_user' }] as const

/** For guests who don't see the user, and whose clients count on a record of everyone. */
const UNKNOWN = [{ index: 2, type: 'realm_user' }] as const

/** `realm_user` `add`, with the delivery e-mail for those who may see it at that moment. */
export const presentUserCreated = present(domainEvents.users.userCreated, {
  list: ({ user, projection }, queue) => {
    const { record } = queue
    if (!user.is_bot && !seesPerson(queue, user.user_id)) {
      return record.client_capabilities.user_list_incomplete ? [] : UNKNOWN
    }
    const viewer = { userId: record.user_id, role: record.role }
    const owner = { id: user.user_id, emailAddressVisibility: projection.email_address_visibility }
    return canSeeDeliveryEmail(viewer, owner) ? SEEN : HIDDEN
  },
  write: ({ user }, index, { unknown_email_host }, cache) =>
    cached(cache, `person:${index}`, () => {
      if (index === UNKNOWN[0].index) {
        const person = unknownUser(user.user_id, unknown_email_host, { withProfileData: true })
        return fieldsOf({ type: 'realm_user', op: 'add', person })
      }
      const delivery_email = index === SEEN[0].index ? user.delivery_email : null
      return fieldsOf({ type: 'realm_user', op: 'add', person: { ...user, delivery_email } })
    }),
})
