import { AppError, badRequest, Role } from '@tms/contracts'
import type { Caller, Logger } from '@tms/service-kit'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { lockAccounts } from '../kernel/accounts/account-list.queries.ts'
import { lockAdministration } from '../kernel/administration/administration-lock.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { listBotsAndOwner } from './administration.queries.ts'

/** Who makes a change: an account, or without an ID the system that provisions the organization's accounts. */
export interface Actor {
  readonly id: number | null
  readonly role: number
}

/** Who makes a change, and the account that is changed. */
export interface Administration<A extends Actor = Actor> {
  readonly actor: A
  readonly target: Account
}

/** A request for such a change, by the API or on a page. */
export interface AdministrationRequest {
  readonly caller: Caller
  readonly context: Context
  readonly requestId: string
  readonly log: Logger
}

/** Provisioning may do what administrators may. */
const provisioner: Actor = { id: null, role: Role.administrator }

/**
 * Locks administration, and the accounts that the change may concern: the target, its bots, its owner and the caller.
 * Reads the caller's current role. Throws UNAUTHORIZED if the caller has been deactivated since signing in,
 * BAD_REQUEST for an unknown user or the system bot.
 */
export async function beginAdministration(
  tx: PrismaTx,
  caller: Caller,
  targetId: number,
): Promise<Administration<Account>> {
  const { realmId, userId } = caller
  await lockAdministration(tx, realmId)
  const related = await listBotsAndOwner(tx, realmId, targetId)
  const accounts = await lockAccounts(tx, realmId, [userId, targetId, ...related])
  const actor = accounts.find(({ id }) => id === userId)
  if (!actor?.isActive) throw new AppError('UNAUTHORIZED', { message: 'The account is deactivated' })
  const target = accounts.find(({ id }) => id === targetId)
  if (!target || target.isSystemBot) throw noSuchUserError()
  return { actor, target }
}

/** The same for the provisioning system. Throws BAD_REQUEST for an unknown user, and for bots. */
export async function beginProvisioning(
  tx: PrismaTx,
  realmId: number,
  targetId: number,
): Promise<Administration> {
  await lockAdministration(tx, realmId)
  const related = await listBotsAndOwner(tx, realmId, targetId)
  const accounts = await lockAccounts(tx, realmId, [targetId, ...related])
  const target = accounts.find(({ id }) => id === targetId)
  if (!target || target.isBot) throw noSuchUserError()
  return { actor: provisioner, target }
}

export const noSuchUserError = (): AppError => badRequest('No such user')
