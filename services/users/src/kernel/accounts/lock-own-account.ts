import { AppError } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { shareAdministration } from '../administration/administration-lock.queries.ts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { type Account, lockAccount } from './account.queries.ts'

/**
 * Locks the caller's account until the transaction ends. For a bot, shares administration before, since its managers
 * see changes of it.
 */
export async function lockOwnAccount(tx: PrismaTx, caller: Caller): Promise<Account> {
  if (caller.isBot) await shareAdministration(tx, caller.realmId)
  const account = await lockAccount(tx, caller.realmId, caller.userId)
  if (!account) throw new AppError('UNAUTHORIZED', { message: 'The account does not exist' })
  return account
}

/** Also throws UNAUTHORIZED if the account has been deactivated since the request was accepted. */
export async function lockActiveAccount(tx: PrismaTx, caller: Caller): Promise<Account> {
  const account = await lockOwnAccount(tx, caller)
  if (!account.isActive) throw new AppError('UNAUTHORIZED', { message: 'The account is deactivated' })
  return account
}
