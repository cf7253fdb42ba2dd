import { badRequest, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { findRealmByStringId } from '../realms/realm.queries.ts'
import { setActivity } from './set-activity.ts'

/** Gives a deactivated organization back to its people, as it was; one that is active stays so. */
export const handleReactivateRealm: InternalHandler<typeof internal.realm.reactivateRealm, Context> = async (
  { string_id },
  context,
  requestId,
) => {
  const realm = await findRealmByStringId(context.prisma, string_id.toLowerCase())
  if (!realm) throw badRequest('There is no organization with this subdomain')
  await setActivity(context, true, { realmId: realm.id, requestId })
  return { realm_id: realm.id }
}
