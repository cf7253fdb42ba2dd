import { badRequest, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findRealmByStringId } from '../kernel/realms/realm.queries.ts'
import { setActivity } from './set-activity.ts'

/** Deactivates or reactivates an organization for an operator. Throws BAD_REQUEST. */
export const handleSetRealmActivity: InternalHandler<
  typeof internal.realm.setRealmActivity,
  Context
> = async ({ string_id, is_active }, context, requestId) => {
  const realm = await findRealmByStringId(context.prisma, string_id.toLowerCase())
  if (!realm) throw badRequest('There is no organization with this subdomain')
  const activity = is_active ? { isActive: true as const } : { isActive: false as const, deleteAt: null }
  const is_changed = await setActivity(context, activity, { realmId: realm.id, requestId })
  return { realm_id: realm.id, is_changed }
}
