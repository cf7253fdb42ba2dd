import { asTx } from '@tms/service-kit'
import { lockPerson, type Person } from '../accounts/account.queries.ts'
import { changePerson } from '../accounts/change-person.ts'
import type { PrismaTx } from '../context.ts'
import { listBots } from './bot.queries.ts'

/**
 * Gives someone's bots, deactivated ones too, no more power than their owner has: whoever owns one has its key, hence
 * its power. The owner must be locked, as whoever gives a bot a role locks them.
 */
export async function lowerBotsOf(tx: PrismaTx, owner: Person, requestId: string): Promise<void> {
  const { realmId, id: ownerId, role } = owner
  for (const { person } of await listBots(asTx(tx), { realmId, ownerId, role: null })) {
    const bot = await lockPerson(tx, realmId, person.id)
    if (bot && bot.role < role) await changePerson(tx, bot, { role }, requestId)
  }
}
