import { badRequest, type internal, Role } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { checkFullName } from '../kernel/accounts/full-name.rules.ts'
import { checkNewEmail, foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { findAccountByDeliveryEmail } from '../kernel/credentials/credential.queries.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { createAccount } from './create-account.ts'
import { onboardUser } from './onboard-user.ts'

const roles: readonly number[] = Object.values(Role)

/**
 * Creates an account, or returns the one with the address unchanged. The password's strength isn't checked, because
 * the operator chooses it. Throws BAD_REQUEST.
 */
export const handleEnsureUser: InternalHandler<typeof internal.users.ensureUser, Context> = async (
  body,
  context,
  requestId,
) => {
  const { prisma, passwords } = context
  const fullName = checkFullName(body.full_name)
  const email = checkNewEmail(body.email)
  if (!roles.includes(body.role)) throw badRequest('There is no such role')
  const realm = await getRealm(context, body.realm_id)
  const realmId = realm.realm_id
  const findAccount = () => findAccountByDeliveryEmail(prisma, realmId, foldEmail(email))

  let account = await findAccount()
  let isNew = false
  if (!account) {
    const passwordHash = body.password === null ? null : await passwords.hash(body.password)
    const row = { realmId, email, fullName, passwordHash, role: body.role, dateJoined: context.now() }
    const created = await context.transact((tx) => createAccount(tx, row, requestId))
    isNew = created !== null
    if (created) await onboardUser(context, created, null, requestId)
    account = await findAccount()
  }
  if (!account) throw new Error('the account with the address was not found')
  return { user_id: account.id, api_key: account.apiKey, is_new: isNew }
}
