import { badRequest, domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { changeOrganization } from '../kernel/realms/change-organization.ts'
import { deleteProfileField } from './profile-field.queries.ts'

/** Removes a custom profile field; the users service deletes its values. Throws BAD_REQUEST. */
export const handleRemoveProfileField: Handler<typeof endpoints.realm.removeProfileField, Context> = async ({
  input: { field_id },
  caller: { realmId },
  context,
  requestId,
}) => {
  const { profileFieldsChanged } = domainEvents.realm
  const cause = { realmId, requestId }
  await changeOrganization(context, profileFieldsChanged, cause, async (tx, { profileFields }) => {
    if (!profileFields.some(({ id }) => id === field_id)) throw badRequest(`Field id ${field_id} not found.`)
    await deleteProfileField(tx, field_id)
  })
  return {}
}
