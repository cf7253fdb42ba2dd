import { AppError, badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findPresenceUser } from './presence.queries.ts'
import { historySecondsOf, presencesOf, showLegacy, showModern } from './presence.rules.ts'
import { publishOnline } from './publish-presence.ts'
import { findVisibleActiveUsers } from './read-presence.ts'

/** Before the first update. */
const FROM_THE_BEGINNING = -1

/**
 * Records that the caller is present, unless they hide presence, and returns who else is. Writes nothing to
 * PostgreSQL. Throws BAD_REQUEST for bots, SERVICE_UNAVAILABLE if Redis is down.
 */
export const handleUpdatePresence: Handler<typeof endpoints.users.updatePresence, Context> = async ({
  input,
  caller,
  context,
  requestId,
  log,
}) => {
  if (caller.isBot) throw badRequest('Bots have no presence')
  const { realmId, userId } = caller
  const own = await findPresenceUser(context.db, realmId, userId)
  if (!own) throw new AppError('UNAUTHORIZED', { message: 'The account does not exist' })

  const at = context.now()
  const { cameOnline, lastUpdateId, lastSeen } = await context.presence.note(realmId, at, {
    user: own.showsPresence ? { id: userId, note: input.status } : null,
    since: input.ping_only ? null : Math.max(input.last_update_id ?? FROM_THE_BEGINNING, FROM_THE_BEGINNING),
    historySeconds: historySecondsOf(input.history_limit_days),
  })
  if (cameOnline) {
    const connectedAt = Math.floor(at.getTime() / 1000)
    const activeAt = input.status === 'active' ? connectedAt : null
    await publishOnline({ userId, activeAt, connectedAt }, own.email, { caller, context, requestId, log })
  }
  if (input.ping_only) return {}

  const accounts = await findVisibleActiveUsers(
    context.db,
    caller,
    lastSeen.map((one) => one.userId),
  )
  const isSlim = input.slim_presence === true || input.last_update_id !== undefined
  return {
    presences: isSlim
      ? presencesOf(lastSeen, accounts, showModern)
      : presencesOf(lastSeen, accounts, showLegacy),
    presence_last_update_id: Math.max(lastUpdateId, input.last_update_id ?? lastUpdateId),
    server_timestamp: at.getTime() / 1000,
  }
}
