import { canSeeDeliveryEmail, emailHostOf, type RealmProjection } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { type Account, findAccount, findAccountByAddress } from '../kernel/accounts/account.queries.ts'
import { idOfEmail } from '../kernel/addresses/api-email.rules.ts'
import type { Context } from '../kernel/context.ts'
import { canSeeUser } from '../kernel/guest-visibility/user-visibility.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'

/**
 * By API e-mail, by the address made from the ID, or by a delivery e-mail that the caller may see, folded. Null if there
 * is no such user or the caller can't see it.
 */
export async function findVisibleByEmail(
  context: Context,
  caller: Caller,
  foldedEmail: string,
): Promise<Account | null> {
  const realm = await getRealm(context, caller.realmId)
  const account = await findByEmail(context, caller, realm, foldedEmail)
  return account && (await canSeeUser(context.db, caller, account)) ? account : null
}

async function findByEmail(
  { prisma }: Context,
  caller: Caller,
  { url }: Pick<RealmProjection, 'url'>,
  foldedEmail: string,
): Promise<Account | null> {
  const account = await findAccountByAddress(prisma, caller.realmId, 'API e-mail', foldedEmail)
  if (account) return account
  const id = idOfEmail(foldedEmail, emailHostOf(new URL(url).hostname))
  if (id !== null) return findAccount(prisma, caller.realmId, id)
  const found = await findAccountByAddress(prisma, caller.realmId, 'delivery e-mail', foldedEmail)
  return found && canSeeDeliveryEmail(caller, found) ? found : null
}
