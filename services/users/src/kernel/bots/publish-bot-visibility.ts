import { domainEvents, Role } from '@tms/contracts'
import type { Account } from '../accounts/account.queries.ts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { publish } from '../publish.ts'
import { listBots } from './bot.queries.ts'
import { toBotRecord } from './bot-record.ts'

/** Publishes which bots a user gains or loses as a manager by a change of role. Needs `lockAdministration`. */
export async function publishBotVisibility(
  tx: PrismaTx,
  before: Account,
  after: Account,
  requestId: string | null,
): Promise<void> {
  if (after.role === before.role || after.isBot) return
  const [had, has] = [await listManaged(tx, before), await listManaged(tx, after)]
  const only = (these: typeof had, those: typeof had) =>
    these.filter(({ account }) => !those.some((other) => other.account.id === account.id))
  const changes = [
    ...only(has, had).map((bot) => ({ bot, gained_user_ids: [after.id], lost_user_ids: [] })),
    ...only(had, has).map((bot) => ({ bot, gained_user_ids: [], lost_user_ids: [after.id] })),
  ]
  for (const { bot, ...managers } of changes) {
    const payload = { bot: toBotRecord(bot), changed: [], remaining_user_ids: [], ...managers }
    await publish(tx, domainEvents.users.botUpdated, payload, { realmId: after.realmId, requestId })
  }
}

/** Bots that the user manages by role, or owns. */
const listManaged = (tx: PrismaTx, { realmId, id, role }: Account) =>
  listBots(tx, { realmId, ownerId: id, role: role <= Role.administrator ? role : null })
