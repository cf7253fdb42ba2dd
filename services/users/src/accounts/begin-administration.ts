import { AppError, badRequest } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { type Account, findAccount, lockAccount } from '../kernel/accounts/account.queries.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { lockAdministration } from './administration.queries.ts'

/** The account that makes a change, and the account that is changed. */
export interface Administration {
  readonly actor: Account
  readonly target: Account
}

/**
 * Locks administration and the target until the transaction ends, and reads the caller's current role. Throws
 * UNAUTHORIZED if the caller has been deactivated since signing in, BAD_REQUEST for an unknown user or the system
 * bot.
 */
export async function beginAdministration(
  tx: PrismaTx,
  caller: Caller,
  targetId: number,
): Promise<Administration> {
  await lockAdministration(tx, caller.realmId)
  const actor = await findAccount(tx, caller.realmId, caller.userId)
  if (!actor?.isActive) throw new AppError('UNAUTHORIZED', { message: 'The account is deactivated' })
  const target = await lockAccount(tx, caller.realmId, targetId)
  if (!target || target.isSystemBot) throw noSuchUserError()
  return { actor, target }
}

export const noSuchUserError = (): AppError => badRequest('No such user')
