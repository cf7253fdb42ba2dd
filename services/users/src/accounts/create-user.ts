import { badRequest, type endpoints, Role } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { getRealm } from '../realms/get-realm.ts'
import { uninvited } from '../sign-up/find-admission.ts'
import { admitPerson } from './admit-person.ts'
import { findAddressFault } from './find-address-fault.ts'
import { checkFullNameIsFree } from './full-name.queries.ts'
import { checkFullName } from './full-name.rules.ts'
import { onboardUser } from './receive-newcomer.ts'

/**
 * An administrator creates a member. Refusals, all BAD_REQUEST, in this order: the name; an address that is invalid,
 * that the organization doesn't take, or that is in use; a weak password; a name in use where names are unique. Of two
 * that ask for one address at once, one
 * gets it.
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
  const person = await context.transact(async (tx) => {
    if (realm.require_unique_names) await checkFullNameIsFree(tx, realm.realm_id, fullName, null)
    return admitPerson(tx, realm, { account, joining: uninvited }, requestId)
  })
  if (!person) throw badRequest(`The e-mail address ${email} is already in use`)
  await onboardUser(context, person, uninvited, requestId)
  return { user_id: person.id }
}
