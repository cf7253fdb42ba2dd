import { AppError, type endpoints, internal } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { findAccount } from '../kernel/accounts/account.queries.ts'
import { toUserWithActivity } from '../kernel/accounts/user-record.ts'
import type { Context } from '../kernel/context.ts'
import { currentFieldsOf } from '../kernel/profiles/current-fields.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'

/** Longer would delay the whole answer for a deprecated field. */
const MAX_MESSAGE_ID_TIMEOUT_MS = 1_000
const NO_MESSAGE = -1

/**
 * The caller's own record, flat, with a real avatar URL. `max_message_id` comes from messaging; it is -1 if messaging
 * doesn't answer.
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
        log.warn({ err, requestId }, 'max_message_id unavailable, returned as -1')
        return NO_MESSAGE
      },
    )
  const account = await findAccount(context.prisma, caller.realmId, caller.userId)
  if (!account) throw new AppError('UNAUTHORIZED', { message: 'The account does not exist' })
  const { custom_profile_fields } = await getRealm(context, caller.realmId)
  const profileFields = currentFieldsOf(custom_profile_fields)
  const view = { viewer: caller, clientGravatar: false, profileFields }
  return { ...toUserWithActivity(account, view), max_message_id: await maxMessageId }
}
