import { badRequest, domainEvents, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { createRealm, findRealmByStringId } from '../kernel/realms/realm.queries.ts'
import { toRealmProjection } from '../kernel/realms/realm-projection.ts'
import { checkNewRealm } from './new-realm.rules.ts'

/** Creates the organization, or finds the existing one with that `string_id`. Two concurrent calls create one. */
export const handleEnsureRealm: InternalHandler<typeof internal.realm.ensureRealm, Context> = async (
  body,
  context,
  requestId,
) => {
  const requested = checkNewRealm(body)
  const find = () => findRealmByStringId(context.prisma, requested.stringId)
  const realm =
    (await find()) ??
    (await context.transact(async (tx) => {
      const created = await createRealm(tx, requested)
      if (!created) return null
      const cause = { realmId: created.id, requestId }
      await publish(tx, domainEvents.realm.realmCreated, { projection: toRealmProjection(created) }, cause)
      return created
    })) ??
    (await find())
  if (!realm) throw badRequest('An organization with this subdomain is being imported')
  return { realm_id: realm.id }
}
