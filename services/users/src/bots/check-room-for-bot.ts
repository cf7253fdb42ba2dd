import type { Person } from '../accounts/account.queries.ts'
import { listActiveBotIds } from '../accounts/administration.queries.ts'
import type { PrismaTx } from '../context.ts'
import { checkCanOwnMore } from './bot.rules.ts'

/** Throws BAD_REQUEST if someone can't own one more active bot. Lock them first: of two at once, one may be too many. */
export async function checkRoomForBot(tx: PrismaTx, { realmId, id, role }: Person): Promise<void> {
  checkCanOwnMore({ role }, (await listActiveBotIds(tx, realmId, id)).length)
}
