import { badRequest, type endpoints, Role } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { checkFullNameIsFree } from '../kernel/accounts/full-name.queries.ts'
import { checkFullName } from '../kernel/accounts/full-name.rules.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import { findAddressFault } from '../kernel/addresses/find-address-fault.ts'
import { shareAdministration } from '../kernel/administration/administration-lock.queries.ts'
import type { Context } from '../kernel/context.ts'
import { lockAdmissions } from '../kernel/invitations/admission-lock.queries.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { admitUser, uninvited } from './admit-user.ts'
import { onboardUser } from './onboard-user.ts'

/**
 * An administrator creates a member. Checks in this order, all BAD_REQUEST: name; address (invalid, not allowed, in
 * use); weak password; name in use where names must be unique. If two requests ask for one address, one succeeds.
 */
export const handleCreateUser: Handler<typeof endpoints.users.createUser, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const { prisma, passwords, checkPasswordStrength } = context
  const realm = await getRealm(context, caller.realmId)
  const fullName = checkFullName(input.full_name)
  const email = input.email.trim()
  const fault = await findAddressFault(prisma, realm, email)
  if (fault !== null) throw badRequest(fault)
  checkPasswordStrength(input.password, [email, fullName])

  const passwordHash = await passwords.hash(input.password)
  const account = { email, fullName, passwordHash, role: Role.member, dateJoined: context.now() }
  const created = await context.transact(async (tx) => {
    await shareAdministration(tx, realm.realm_id)
    if (realm.require_unique_names) await checkFullNameIsFree(tx, realm.realm_id, fullName, null)
    await lockAdmissions(tx, realm.realm_id, foldEmail(email))
    return admitUser(tx, realm, { account, joining: uninvited }, requestId)
  })
  if (!created) throw badRequest(`The e-mail address ${email} is already in use`)
  await onboardUser(context, created, uninvited, requestId)
  return { user_id: created.id }
}
