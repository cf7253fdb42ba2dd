import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { showProfileField } from '../kernel/parts/profile-field.ts'
import { getOrganization } from '../kernel/realms/realm.queries.ts'

/** The custom profile fields, in their order. */
export const handleListProfileFields: Handler<typeof endpoints.realm.listProfileFields, Context> = async ({
  caller,
  context,
}) => {
  const { profileFields } = await getOrganization(context.prisma, caller.realmId)
  return { custom_fields: profileFields.map(showProfileField) }
}
