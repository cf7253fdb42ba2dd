import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'

/** Lists when users were last active, if Redis has their presence. */
export const handleListLastActivity: InternalHandler<
  typeof internal.users.listLastActivity,
  Context
> = async ({ realm_id: realmId, user_ids: userIds }, { presence }) => {
  const seen = await presence.findAll(realmId, userIds).catch(() => null)
  if (seen === null) return { active_at: [], is_known: false }
  const times = new Map(seen.map(({ userId, activeAt }) => [userId, activeAt]))
  return { active_at: userIds.map((userId) => times.get(userId) ?? null), is_known: true }
}
