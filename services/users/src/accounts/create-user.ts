import { badRequest, type endpoints, Role } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { getRealm } from '../realms/get-realm.ts'
import { findAccountByDeliveryEmail } from './account.queries.ts'
import { createAccount } from './create-account.ts'
import { checkNewEmail, foldEmail } from './email-address.rules.ts'
import { checkFullNameIsFree } from './full-name.queries.ts'
import { checkFullName } from './full-name.rules.ts'

/** An ID that no account has, for one that has none yet. */
const NOBODY = 0

/**
 * An administrator creates a member. Refusals, all BAD_REQUEST, in this order: the name, the address, an
 * address in use, a weak password, a name in use where names are unique. Of two that ask for one address at once, one
 * gets it.
 */
export const handleCreateUser: Handler<typeof endpoints.users.createUser, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const { prisma, passwords, checkPasswordStrength } = context
  const { realmId } = caller
  const fullName = checkFullName(input.full_name)
  const email = checkNewEmail(input.email)
  if (await findAccountByDeliveryEmail(prisma, realmId, foldEmail(email))) throw inUse(email)
  checkPasswordStrength(input.password, [email, fullName])

  const realm = await getRealm(context, realmId)
  const passwordHash = await passwords.hash(input.password)
  const dateJoined = context.now()
  const account = { realmId, email, fullName, passwordHash, role: Role.member, dateJoined }
  const person = await context.transact(async (tx) => {
    if (realm.require_unique_names) await checkFullNameIsFree(tx, realmId, fullName, NOBODY)
    return createAccount(tx, account, requestId)
  })
  if (!person) throw inUse(email)
  return { user_id: person.id }
}

const inUse = (email: string): Error => badRequest(`The e-mail address ${email} is already in use`)
