import { AppError, badRequest } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { PrismaTx } from '../context.ts'
import { findPerson, lockPerson, type Person } from './account.queries.ts'
import { lockAdministration } from './administration.queries.ts'

/** Who changes an account, and whose account it is. */
export interface Administration {
  readonly actor: Person
  readonly target: Person
}

/**
 * The caller as they are now, and the account that they want to change, both of which nobody else administers until
 * the transaction ends: what the caller was when they signed in may be over. Throws UNAUTHORIZED for a caller who
 * has been deactivated meanwhile, BAD_REQUEST for an ID that is nobody's or the organization's own actor's.
 */
export async function beginAdministration(
  tx: PrismaTx,
  caller: Caller,
  targetId: number,
): Promise<Administration> {
  await lockAdministration(tx, caller.realmId)
  const actor = await findPerson(tx, caller.realmId, caller.userId)
  if (!actor?.isActive) throw new AppError('UNAUTHORIZED', { message: 'The account is deactivated' })
  const target = await lockPerson(tx, caller.realmId, targetId)
  if (!target || target.isSystemBot) throw noSuchUser()
  return { actor, target }
}

export const noSuchUser = (): AppError => badRequest('No such user')
