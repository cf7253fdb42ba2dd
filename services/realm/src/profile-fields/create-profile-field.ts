import { domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { changeOrganization } from '../kernel/realms/change-organization.ts'
import { insertProfileField } from './profile-field.queries.ts'
import { newField } from './profile-field.rules.ts'

/** Adds a custom profile field after all others. Throws BAD_REQUEST. */
export const handleCreateProfileField: Handler<typeof endpoints.realm.createProfileField, Context> = async ({
  input,
  caller: { realmId },
  context,
  requestId,
}) => {
  const { profileFieldsChanged } = domainEvents.realm
  const { field_type: type, ...sent } = input
  const id = await changeOrganization(
    context,
    profileFieldsChanged,
    { realmId, requestId },
    async (tx, { profileFields }) => {
      const field = newField(type, sent, profileFields)
      const position = (profileFields.at(-1)?.position ?? 0) + 1
      return insertProfileField(tx, { ...field, realmId, type, position })
    },
  )
  return { id }
}
