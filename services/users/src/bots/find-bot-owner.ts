import { badRequest, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { findAccountByAddress } from '../kernel/accounts/account.queries.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { getRealm } from '../kernel/realms/get-realm.ts'
import { findFirstOwner } from './first-owner.queries.ts'

/** Finds who owns a bot that an operator creates. Throws BAD_REQUEST if there is no such person. */
export const handleFindBotOwner: InternalHandler<typeof internal.users.findBotOwner, Context> = async (
  { realm_id, email },
  context,
) => {
  const realm = await getRealm(context, realm_id)
  if (!realm.is_active) throw badRequest('The organization is deactivated')
  if (email === null) {
    const owner = await findFirstOwner(context.db, realm_id)
    if (!owner) throw badRequest('The organization has no active owner')
    return owner
  }
  const account = await findAccountByAddress(context.prisma, realm_id, 'delivery e-mail', foldEmail(email))
  if (!account || account.isBot) throw badRequest('Nobody has an account with this address here')
  if (!account.isActive) throw badRequest('The account is deactivated')
  return { user_id: account.id, role: account.role, full_name: account.fullName }
}
