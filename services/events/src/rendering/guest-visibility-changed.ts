import { canSeeDeliveryEmail, domainEvents, UNKNOWN_USER_NAME } from '@tms/contracts'
import { cached, fieldsOf, present } from './presentation.ts'

/**
 * `realm_user` `add` of each user who becomes visible to a guest, with the delivery e-mail if the guest may see it. `remove` of
 * each user who becomes invisible, which also replaces the name.
 */
export const presentGuestVisibilityChanged = present(domainEvents.users.guestVisibilityChanged, {
  list: ({ gained, lost_user_ids }, { record, visibleUserIds }) => {
    if (visibleUserIds === null) return []
    const viewer = { userId: record.user_id, role: record.role }
    const additions = gained.map(({ user, email_address_visibility: emailAddressVisibility }, at) => {
      const isEmailVisible = canSeeDeliveryEmail(viewer, { id: user.user_id, emailAddressVisibility })
      return { index: 2 * at + (isEmailVisible ? 1 : 0), type: 'realm_user' }
    })
    const removals = lost_user_ids.map((_, at) => ({ index: 2 * gained.length + at, type: 'realm_user' }))
    return [...additions, ...removals]
  },
  write: ({ gained, lost_user_ids }, index, _queue, cache) =>
    cached(cache, `person:${index}`, () => {
      const user = gained[Math.floor(index / 2)]?.user
      if (user) {
        const delivery_email = index % 2 === 1 ? user.delivery_email : null
        return fieldsOf({ type: 'realm_user', op: 'add', person: { ...user, delivery_email } })
      }
      const user_id = lost_user_ids[index - 2 * gained.length]
      const person = { user_id, full_name: UNKNOWN_USER_NAME }
      return fieldsOf({ type: 'realm_user', op: 'remove', person })
    }),
})
