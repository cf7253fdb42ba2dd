import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { showProfileField } from '../kernel/parts/profile-field.ts'
import { findOrganization } from '../kernel/realms/realm.queries.ts'

/** The custom profile fields, in their order. */
export const handleListProfileFields: Handler<typeof endpoints.realm.listProfileFields, Context> = async ({
  caller,
  context,
}) => {
  const organization = await findOrganization(context.prisma, caller.realmId)
  if (!organization) throw badRequest('There is no such organization')
  return { custom_fields: organization.profileFields.map(showProfileField) }
}
