import { AppError, badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { findPinger } from './presence.queries.ts'
import { presencesOf, showLegacy, showModern } from './presence.rules.ts'
import { listPresentPeople } from './read-presence.ts'
import { tellOnline } from './tell-presence.ts'

/** Before the first update. */
const FROM_THE_BEGINNING = -1

/**
 * Notes that the caller is here, unless they don't show presence, and answers who else is. Nothing is written to
 * PostgreSQL. Throws BAD_REQUEST for bots, SERVICE_UNAVAILABLE while Redis is away.
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
  const own = await findPinger(context.db, realmId, userId)
  if (!own) throw new AppError('UNAUTHORIZED', { message: 'The account does not exist' })

  const at = context.now()
  const { cameOnline, lastUpdateId, seen } = await context.presence.note(realmId, at, {
    user: own.showsPresence ? { id: userId, note: input.status } : null,
    since: input.ping_only ? null : Math.max(input.last_update_id ?? FROM_THE_BEGINNING, FROM_THE_BEGINNING),
  })
  if (cameOnline) {
    const connectedAt = Math.floor(at.getTime() / 1000)
    const activeAt = input.status === 'active' ? connectedAt : null
    await tellOnline({ userId, activeAt, connectedAt }, own.email, { caller, context, requestId, log })
  }
  if (input.ping_only) return {}

  const people = await listPresentPeople(
    context.db,
    caller,
    seen.map((one) => one.userId),
  )
  const isSlim = input.slim_presence === true || input.last_update_id !== undefined
  return {
    presences: isSlim ? presencesOf(seen, people, showModern) : presencesOf(seen, people, showLegacy),
    presence_last_update_id: Math.max(lastUpdateId, input.last_update_id ?? lastUpdateId),
    server_timestamp: at.getTime() / 1000,
  }
}
