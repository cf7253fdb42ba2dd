import { badRequest } from '@tms/contracts'
import type { Caller, Queryable } from '@tms/service-kit'
import { type Account, findAccount, lockAccount } from '../kernel/accounts/account.queries.ts'
import { shareAdministration } from '../kernel/administration/administration-lock.queries.ts'
import { type Bot, findBotDetails } from '../kernel/bots/bot.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { checkManages } from './bot.rules.ts'

/** Locks a bot that the caller manages, with administration shared. Throws BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
export async function lockManagedBot(tx: PrismaTx, caller: Caller, id: number): Promise<Bot> {
  await shareAdministration(tx, caller.realmId)
  return getManaged(tx, caller, await lockAccount(tx, caller.realmId, id))
}

/** Throws what `lockManagedBot` would throw, without locking. */
export async function checkManagesBot(
  { prisma, db }: Pick<Context, 'prisma' | 'db'>,
  caller: Caller,
  id: number,
): Promise<void> {
  await getManaged(db, caller, await findAccount(prisma, caller.realmId, id))
}

async function getManaged(db: Queryable, caller: Caller, account: Account | null): Promise<Bot> {
  const details = account?.isBot ? await findBotDetails(db, account.id) : null
  if (!account || !details) throw badRequest('No such bot')
  checkManages(caller, account)
  return { account, details }
}
