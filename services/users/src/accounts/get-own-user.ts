import { AppError, type endpoints, internal } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { currentFieldsOf } from '../profiles/current-fields.ts'
import { getRealm } from '../realms/get-realm.ts'
import { findPerson } from './account.queries.ts'
import { toUserWithActivity } from './user-record.ts'

/** One's own record must not wait long for a number in it that is deprecated. */
const MAX_MESSAGE_ID_TIMEOUT_MS = 1_000
const NO_MESSAGE = -1

/**
 * The caller's own record, flat, with a real avatar URL. `max_message_id` comes from messaging, and is that of
 * someone without messages while messaging is away.
 */
export const handleGetOwnUser: Handler<typeof endpoints.users.getOwnUser, Context> = async ({
  caller,
  context,
  requestId,
  log,
}) => {
  const maxMessageId = context
    .call(
      internal.messaging.getMaxMessageId,
      { realm_id: caller.realmId, user_id: caller.userId },
      { requestId, timeoutMs: MAX_MESSAGE_ID_TIMEOUT_MS },
    )
    .then(
      (answer) => answer.max_message_id,
      (err: unknown) => {
        log.warn({ err, requestId }, 'newest message unknown, answered as none')
        return NO_MESSAGE
      },
    )
  const person = await findPerson(context.prisma, caller.realmId, caller.userId)
  if (!person) throw new AppError('UNAUTHORIZED', { message: 'The account does not exist' })
  const { custom_profile_fields } = await getRealm(context, caller.realmId)
  const profileFields = currentFieldsOf(custom_profile_fields)
  const view = { viewer: caller, clientGravatar: false, profileFields }
  return { ...toUserWithActivity(person, view), max_message_id: await maxMessageId }
}
