import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { findOrganization } from '../realms/realm.queries.ts'
import { showProfileField } from './profile-field.ts'

/** The custom profile fields, in their order. */
export const handleListProfileFields: Handler<typeof endpoints.realm.listProfileFields, Context> = async ({
  caller,
  context,
}) => {
  const organization = await findOrganization(context.prisma, caller.realmId)
  if (!organization) throw badRequest('There is no such organization')
  return { custom_fields: organization.profileFields.map(showProfileField) }
}
