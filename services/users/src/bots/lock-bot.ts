import { badRequest } from '@tms/contracts'
import { asTx, type Caller } from '@tms/service-kit'
import { lockPerson } from '../accounts/account.queries.ts'
import type { PrismaTx } from '../context.ts'
import { type Bot, findBotDetails } from './bot.queries.ts'
import { checkManages } from './bot.rules.ts'

/**
 * A bot that the caller manages, which no one else changes until the transaction ends. Throws BAD_REQUEST or
 * UNAUTHORIZED_PRINCIPAL.
 */
export async function lockManagedBot(tx: PrismaTx, caller: Caller, id: number): Promise<Bot> {
  const person = await lockPerson(tx, caller.realmId, id)
  const details = person?.isBot ? await findBotDetails(asTx(tx), id) : null
  if (!person || !details) throw badRequest('No such bot')
  checkManages(caller, person)
  return { person, details }
}
