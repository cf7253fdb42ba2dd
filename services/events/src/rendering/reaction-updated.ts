import { domainEvents, emailOfId, UNKNOWN_USER_NAME } from '@tms/contracts'
import { seesPerson } from '../partitions/queue-state.ts'
import { cached, fieldsOf, present } from './presentation.ts'

const KNOWN = [{ index: 0, type: 'reaction' }] as const
/** To guests who don't see who it is. */
const UNKNOWN = [{ index: 1, type: 'reaction' }] as const

/** `reaction`, the same to everyone who sees whose it is. `user` is a legacy form of `user_id`. */
export const presentReactionUpdated = present(domainEvents.messaging.reactionUpdated, {
  list: ({ is_user_guarded, user }, queue) =>
    is_user_guarded === true && !seesPerson(queue, user.user_id) ? UNKNOWN : KNOWN,
  write: ({ holders: _, is_user_guarded: __, user, ...reaction }, index, { unknown_email_host }, cache) =>
    cached(cache, `reaction:${index}`, () => {
      const { user_id } = user
      const email = emailOfId(user_id, unknown_email_host)
      const shown = index === UNKNOWN[0].index ? { user_id, email, full_name: UNKNOWN_USER_NAME } : user
      return fieldsOf({ type: 'reaction', ...reaction, user_id, user: shown })
    }),
})
