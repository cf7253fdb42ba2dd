import { badRequest, domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { changeOrganization } from '../kernel/realms/change-organization.ts'
import { saveProfileField } from './profile-field.queries.ts'
import { changedField } from './profile-field.rules.ts'

/** Changes a custom profile field, which keeps its position. Throws BAD_REQUEST. */
export const handleUpdateProfileField: Handler<typeof endpoints.realm.updateProfileField, Context> = async ({
  input: { field_id, ...sent },
  caller: { realmId },
  context,
  requestId,
}) => {
  const { profileFieldsChanged } = domainEvents.realm
  const cause = { realmId, requestId }
  await changeOrganization(context, profileFieldsChanged, cause, async (tx, { profileFields }) => {
    const before = profileFields.find(({ id }) => id === field_id)
    if (!before) throw badRequest(`Field id ${field_id} not found.`)
    const others = profileFields.filter(({ id }) => id !== field_id)
    await saveProfileField(tx, field_id, changedField(before, sent, others))
  })
  return {}
}
