import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'

/**
 * A user is away if the newest active presence is older. Clients ping every minute. Too short mails users who sit at
 * their desk, too long leaves out what comes right after they left.
 */
const AWAY_AFTER_SECONDS = 200

/** Lists the users who are away, if Redis has their presence. */
export const handleListAwayUsers: InternalHandler<typeof internal.users.listAwayUsers, Context> = async (
  { realm_id: realmId, user_ids: userIds },
  { presence, now },
) => {
  const seen = await presence.findAll(realmId, userIds).catch(() => null)
  if (seen === null) return { user_ids: [], is_known: false }
  const since = now().getTime() / 1000 - AWAY_AFTER_SECONDS
  const active = new Set(
    seen.filter(({ activeAt }) => activeAt !== null && activeAt >= since).map(({ userId }) => userId),
  )
  return { user_ids: userIds.filter((userId) => !active.has(userId)), is_known: true }
}
