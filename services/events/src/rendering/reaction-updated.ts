import { domainEvents, emailOfId, UNKNOWN_USER_NAME } from '@tms/contracts'
import { canSeeUser } from '../kernel/queue-state.ts'
import { cached, fieldsOf, present } from './presentation.ts'

const KNOWN = [{ index: 0, type: 'reaction' }] as const
/** For guests who can't see the user. */
const UNKNOWN = [{ index: 1, type: 'reaction' }] as const

/** `reaction`, the same to everyone who can see the user. `user` is a legacy form of `user_id`. */
export const presentReactionUpdated = present(domainEvents.messaging.reactionUpdated, {
  list: ({ is_user_guarded, user }, queue) =>
    is_user_guarded === true && !canSeeUser(queue, user.user_id) ? UNKNOWN : KNOWN,
  write: ({ holders: _, is_user_guarded: __, user, ...reaction }, index, { unknown_email_host }, cache) =>
    cached(cache, `reaction:${index}`, () => {
      const { user_id } = user
      const email = emailOfId(user_id, unknown_email_host)
      const visibleUser = index === UNKNOWN[0].index ? { user_id, email, full_name: UNKNOWN_USER_NAME } : user
      return fieldsOf({ type: 'reaction', ...reaction, user_id, user: visibleUser })
    }),
})
