import { AppError, badRequest, type endpoints } from '@tms/contracts'
import { type Handler, SerializedFields } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { SeenUsers } from '../kernel/presence/seen-users.ts'
import { findPresenceUser } from './presence.queries.ts'
import { historySecondsOf } from './presence.rules.ts'
import { publishOnline } from './publish-presence.ts'
import { renderPresences } from './read-presence.ts'

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
  // A client without an earlier update asks for all.
  const since = input.ping_only ? null : (input.last_update_id ?? 0)
  const historySeconds = since !== null && since <= 0 ? historySecondsOf(input.history_limit_days) : null
  const accounts = historySeconds === null ? null : await context.presenceAccounts.read(realmId, [userId])
  const own = accounts ? accounts.get(userId) : await findPresenceUser(context.db, realmId, userId)
  if (!own) throw new AppError('UNAUTHORIZED', { message: 'The account does not exist' })

  const at = context.now()
  const user = own.showsPresence ? { id: userId, note: input.status } : null
  const { cameOnline, seen } =
    historySeconds === null
      ? await noteSince(context, realmId, at, { user, since })
      : await context.presence.noteAndReadAll(realmId, at, { user, historySeconds })
  if (cameOnline) {
    const connectedAt = Math.floor(at.getTime() / 1000)
    const activeAt = input.status === 'active' ? connectedAt : null
    await publishOnline({ userId, activeAt, connectedAt }, own.email, { caller, context, requestId, log })
  }
  if (input.ping_only) return {}

  const isSlim = input.slim_presence === true || input.last_update_id !== undefined
  const format = isSlim ? 'modern' : 'legacy'
  // Before the text is made, which may have later updates, too.
  const lastUpdateId = Math.max(seen.lastUpdateId, input.last_update_id ?? seen.lastUpdateId)
  const text = await renderPresences(context, caller, seen, { at, format, historySeconds, accounts })
  return new SerializedFields(
    `"presences":${text},"presence_last_update_id":${lastUpdateId},"server_timestamp":${at.getTime() / 1000}`,
  )
}

/** The same for users seen after an update; for none if it is null. */
async function noteSince(
  { presence }: Pick<Context, 'presence'>,
  realmId: number,
  at: Date,
  request: Parameters<Context['presence']['note']>[2],
): Promise<{ cameOnline: boolean; seen: SeenUsers }> {
  const { cameOnline, lastUpdateId, lastSeen } = await presence.note(realmId, at, request)
  const seen = new SeenUsers(lastUpdateId, '')
  seen.apply(lastSeen, lastUpdateId)
  return { cameOnline, seen }
}
