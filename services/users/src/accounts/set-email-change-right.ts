import { badRequest, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { findAccountByAddress, lockAccount } from '../kernel/accounts/account.queries.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { saveEmailChangeRight } from './email-change-right.queries.ts'

/** Lets an account change the addresses of others while it is an administrator, or no longer. Throws BAD_REQUEST. */
export const handleSetEmailChangeRight: InternalHandler<
  typeof internal.users.setEmailChangeRight,
  Context
> = async ({ realm_id, email, is_granted }, context) => {
  const realm = await getRealm(context, realm_id)
  const account = await findAccountByAddress(
    context.prisma,
    realm.realm_id,
    'delivery e-mail',
    foldEmail(email),
  )
  if (!account || account.isBot) throw badRequest('Nobody has an account with this address here')
  if (!account.isActive) throw badRequest('The account is deactivated')
  await context.transact(async (tx) => {
    await lockAccount(tx, realm.realm_id, account.id)
    await saveEmailChangeRight(tx, { id: account.id, isGranted: is_granted })
  })
  return { user_id: account.id }
}
