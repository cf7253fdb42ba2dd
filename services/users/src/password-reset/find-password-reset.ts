import type { RealmProjection } from '@tms/contracts'
import { findStoredPasswordFault } from '../directory/stored-password.ts'
import type { Context } from '../kernel/context.ts'
import { findCredentials } from '../kernel/credentials/credential.queries.ts'
import { hashLinkKey, isLinkKey } from '../kernel/credentials/link-key.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { accountStateOf } from './account-state.ts'
import { findReset } from './password-reset.queries.ts'

/**
 * The account that the key belongs to. Null if the key is unknown, used or expired, the account has changed since, or its
 * user can't have a password here by now.
 */
export async function findPasswordReset(
  context: { readonly prisma: Context['prisma'] | PrismaTx } & Pick<Context, 'now' | 'signOn'>,
  realm: RealmProjection,
  key: string,
): Promise<{ readonly id: number; readonly email: string; readonly fullName: string } | null> {
  const { prisma, now } = context
  if (!realm.is_active || !isLinkKey(key)) return null
  const reset = await findReset(prisma, hashLinkKey(key), now())
  if (!reset) return null
  const account = await findCredentials(prisma, realm.realm_id, reset.accountId)
  if (!account?.isActive) return null
  if (Buffer.compare(reset.accountState, accountStateOf(account)) !== 0) return null
  if ((await findStoredPasswordFault(context, prisma, realm, account.id)) !== null) return null
  return { id: account.id, email: account.deliveryEmail, fullName: account.fullName }
}
