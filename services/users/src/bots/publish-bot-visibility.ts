import { domainEvents, Role } from '@tms/contracts'
import { asTx, publisherOf } from '@tms/service-kit'
import type { Person } from '../accounts/account.queries.ts'
import type { PrismaTx } from '../context.ts'
import { listBots } from './bot.queries.ts'
import { toBotRecord } from './bot-record.ts'

const publish = publisherOf('users')

/** Tells someone whose role has changed which bots they manage now, and which no longer. Needs `lockEmailVisibility`. */
export async function publishBotVisibility(
  tx: PrismaTx,
  before: Person,
  after: Person,
  requestId: string | null,
): Promise<void> {
  if (after.role === before.role || after.isBot) return
  const [had, has] = [await listManaged(tx, before), await listManaged(tx, after)]
  const only = (these: typeof had, those: typeof had) =>
    these.filter(({ person }) => !those.some((other) => other.person.id === person.id))
  const changes = [
    ...only(has, had).map((bot) => ({ bot, gained_user_ids: [after.id], lost_user_ids: [] })),
    ...only(had, has).map((bot) => ({ bot, gained_user_ids: [], lost_user_ids: [after.id] })),
  ]
  for (const { bot, ...sight } of changes) {
    const payload = { bot: toBotRecord(bot), changed: [], remaining_user_ids: [], ...sight }
    await publish(asTx(tx), domainEvents.users.botUpdated, payload, { realmId: after.realmId, requestId })
  }
}

/** The bots that someone manages by a role, or owns. */
const listManaged = (tx: PrismaTx, { realmId, id, role }: Person) =>
  listBots(asTx(tx), { realmId, ownerId: id, role: role <= Role.administrator ? role : null })
