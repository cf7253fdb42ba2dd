import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { setActivity } from '../activity/set-activity.ts'
import type { Context } from '../kernel/context.ts'

/** Deactivates an organization and begins its deletion, for an operator. Throws BAD_REQUEST, SERVICE_UNAVAILABLE. */
export const handleDeleteRealm: InternalHandler<typeof internal.realm.deleteRealm, Context> = async (
  { realm_id: realmId },
  context,
  requestId,
) => {
  await setActivity(context, { isActive: false, deleteAt: context.now() }, { realmId, requestId })
  context.wakeDeleter()
  return {}
}
