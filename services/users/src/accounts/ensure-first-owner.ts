import { type internal, Role } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { getRealm } from '../realms/get-realm.ts'
import { findAccountByDeliveryEmail, hasPeople } from './account.queries.ts'
import { checkNewEmail, foldEmail } from './email-address.rules.ts'
import { handleEnsureUser } from './ensure-user.ts'
import { checkFullName } from './full-name.rules.ts'

/** Whether an account could have this address and name. Throws BAD_REQUEST. */
export const handleCheckNewAccount: InternalHandler<typeof internal.users.checkNewAccount, Context> = async ({
  email,
  full_name,
}) => {
  checkNewEmail(email)
  checkFullName(full_name)
  return {}
}

/**
 * Creates the first owner of an organization, or finds the account that has the address; null where there are people, and
 * nobody has it: whoever sets an organization up must not get into one that is used. Throws BAD_REQUEST.
 */
export const handleEnsureFirstOwner: InternalHandler<
  typeof internal.users.ensureFirstOwner,
  Context
> = async (body, context, requestId) => {
  const { realm_id: realmId } = await getRealm(context, body.realm_id)
  const known = await findAccountByDeliveryEmail(context.prisma, realmId, foldEmail(body.email))
  if (!known && (await hasPeople(context.prisma, realmId))) return { owner: null }
  return { owner: await handleEnsureUser({ ...body, role: Role.owner }, context, requestId) }
}
