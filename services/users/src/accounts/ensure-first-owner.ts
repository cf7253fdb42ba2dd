import { type internal, Role } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { checkFullName } from '../kernel/accounts/full-name.rules.ts'
import { checkNewEmail, foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { findAccountByDeliveryEmail } from '../kernel/credentials/credential.queries.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { hasUsers } from './administration.queries.ts'
import { handleEnsureUser } from './ensure-user.ts'

/** Checks address and name of a new account. Throws BAD_REQUEST. */
export const handleCheckNewAccount: InternalHandler<typeof internal.users.checkNewAccount, Context> = async ({
  email,
  full_name,
}) => {
  checkNewEmail(email)
  checkFullName(full_name)
  return {}
}

/**
 * Creates the first owner of an organization, or finds the account with the address. Null if the organization has
 * other users but no such account: setup must not open an organization in use. Throws BAD_REQUEST.
 */
export const handleEnsureFirstOwner: InternalHandler<
  typeof internal.users.ensureFirstOwner,
  Context
> = async (body, context, requestId) => {
  const { realm_id: realmId } = await getRealm(context, body.realm_id)
  const known = await findAccountByDeliveryEmail(context.prisma, realmId, foldEmail(body.email))
  if (!known && (await hasUsers(context.prisma, realmId))) return { owner: null }
  return { owner: await handleEnsureUser({ ...body, role: Role.owner }, context, requestId) }
}
