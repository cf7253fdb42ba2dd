import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { setActivity } from './set-activity.ts'

/** Deactivates the caller's organization; its data stays. Throws SERVICE_UNAVAILABLE. */
export const handleDeactivateRealm: Handler<typeof endpoints.realm.deactivateRealm, Context> = async ({
  caller: { realmId },
  context,
  requestId,
}) => {
  await setActivity(context, false, { realmId, requestId })
  return {}
}
