import { badRequest } from '@tms/contracts'
import { asTx, type Caller, type Queryable } from '@tms/service-kit'
import { findPerson, lockPerson, type Person } from '../accounts/account.queries.ts'
import type { Context, PrismaTx } from '../context.ts'
import { type Bot, findBotDetails } from './bot.queries.ts'
import { checkManages } from './bot.rules.ts'

/**
 * A bot that the caller manages, which no one else changes until the transaction ends. Throws BAD_REQUEST or
 * UNAUTHORIZED_PRINCIPAL.
 */
export async function lockManagedBot(tx: PrismaTx, caller: Caller, id: number): Promise<Bot> {
  return getManaged(asTx(tx), caller, await lockPerson(tx, caller.realmId, id))
}

/** Throws what `lockManagedBot` would now. */
export async function checkManagesBot(
  { prisma, db }: Pick<Context, 'prisma' | 'db'>,
  caller: Caller,
  id: number,
): Promise<void> {
  await getManaged(db, caller, await findPerson(prisma, caller.realmId, id))
}

async function getManaged(db: Queryable, caller: Caller, person: Person | null): Promise<Bot> {
  const details = person?.isBot ? await findBotDetails(db, person.id) : null
  if (!person || !details) throw badRequest('No such bot')
  checkManages(caller, person)
  return { person, details }
}
