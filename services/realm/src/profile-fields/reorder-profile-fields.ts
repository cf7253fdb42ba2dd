import { badRequest, domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { isReordering } from '../kernel/parts/reordering.rules.ts'
import { changeOrganization } from '../kernel/realms/change-organization.ts'
import { saveProfileFieldOrder } from './profile-field.queries.ts'

/** Puts all custom profile fields in another order. Throws BAD_REQUEST. */
export const handleReorderProfileFields: Handler<
  typeof endpoints.realm.reorderProfileFields,
  Context
> = async ({ input: { order }, caller: { realmId }, context, requestId }) => {
  const { profileFieldsChanged } = domainEvents.realm
  const cause = { realmId, requestId }
  await changeOrganization(context, profileFieldsChanged, cause, async (tx, { profileFields }) => {
    const present = profileFields.map(({ id }) => id)
    if (!isReordering(present, order)) throw badRequest('Invalid order mapping.')
    await saveProfileFieldOrder(tx, order)
  })
  return {}
}
