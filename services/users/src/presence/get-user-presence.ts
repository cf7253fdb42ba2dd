import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { findAccountByIdOrEmail } from '../kernel/accounts/find-account-by-id-or-email.ts'
import type { Context } from '../kernel/context.ts'
import { canSeeUser } from '../kernel/guest-visibility/user-visibility.ts'
import { isRecent, reportedPresenceOf } from './presence.rules.ts'

/**
 * One user's presence. Throws BAD_REQUEST for unknown, invisible and deactivated users, for bots, and for users not
 * seen for two weeks; SERVICE_UNAVAILABLE if Redis is down.
 */
export const handleGetUserPresence: Handler<typeof endpoints.users.getUserPresence, Context> = async ({
  input: { user_id_or_email: idOrEmail },
  caller,
  context,
}) => {
  const account = await findAccountByIdOrEmail(context.prisma, caller.realmId, idOrEmail)
  if (!account?.isActive || !(await canSeeUser(context.db, caller, account))) throw badRequest('No such user')
  if (account.isBot) throw badRequest('Presence is not supported for bot users.')
  const lastSeen = await context.presence.find(caller.realmId, account.id)
  const now = context.now().getTime() / 1000
  if (!lastSeen || !isRecent(lastSeen, now)) throw badRequest(`No presence data for ${idOrEmail}`)
  return { presence: reportedPresenceOf(lastSeen, now) }
}
