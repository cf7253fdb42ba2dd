import { AppError, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'

/**
 * A user is away if the newest active presence is older. Clients ping every minute. Too short mails users who sit at
 * their desk, too long leaves out what comes right after they left.
 */
const AWAY_AFTER_SECONDS = 200

/** Lists the users who are away. Throws SERVICE_UNAVAILABLE if Redis is down. */
export const handleListAwayUsers: InternalHandler<typeof internal.users.listAwayUsers, Context> = async (
  { realm_id: realmId, user_ids: userIds },
  context,
) => {
  const seen = await context.presence.findAll(realmId, userIds).catch((cause: unknown) => {
    throw new AppError('SERVICE_UNAVAILABLE', { message: 'Presence is unavailable', cause })
  })
  const since = context.now().getTime() / 1000 - AWAY_AFTER_SECONDS
  const active = new Set(
    seen.filter(({ activeAt }) => activeAt !== null && activeAt >= since).map(({ userId }) => userId),
  )
  return { user_ids: userIds.filter((userId) => !active.has(userId)) }
}
