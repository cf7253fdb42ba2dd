import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { deletionTimeOf } from './deletion-delay.rules.ts'
import { setActivity } from './set-activity.ts'

/**
 * Deactivates the caller's organization, which may be deleted later. Throws BAD_REQUEST for a number of days that the
 * installation doesn't allow, SERVICE_UNAVAILABLE.
 */
export const handleDeactivateRealm: Handler<typeof endpoints.realm.deactivateRealm, Context> = async ({
  input: { deletion_delay_days },
  caller: { realmId },
  context,
  requestId,
}) => {
  const deleteAt = deletionTimeOf(deletion_delay_days, context.deletionDelayDays, context.now())
  await setActivity(context, { isActive: false, deleteAt }, { realmId, requestId })
  // A delay of no days is over.
  if (deleteAt) context.wakeDeleter()
  return {}
}
