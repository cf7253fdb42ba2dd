import type { PrismaTx } from '../context.ts'
import { lockPerson, type Person } from './account.queries.ts'
import { listActiveBotIds } from './administration.queries.ts'
import { changePerson } from './change-person.ts'

/**
 * Deactivates an account, its own bots first, each with its event. What it wrote and where it was subscribed stays.
 * Needs the lock of administration.
 */
export async function deactivateAccount(tx: PrismaTx, person: Person, requestId: string): Promise<void> {
  for (const botId of await listActiveBotIds(tx, person.realmId, person.id)) {
    const bot = await lockPerson(tx, person.realmId, botId)
    if (bot) await changePerson(tx, bot, { isActive: false }, requestId)
  }
  await changePerson(tx, person, { isActive: false }, requestId)
}
