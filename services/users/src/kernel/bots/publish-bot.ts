import { domainEvents } from '@tms/contracts'
import type { Account } from '../accounts/account.queries.ts'
import { shareAdministration } from '../administration/administration-lock.queries.ts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { publish } from '../publish.ts'
import { type Bot, findBotDetails, listAdministrators } from './bot.queries.ts'
import { botChangesOf, managersOf, toBotRecord } from './bot-record.ts'

/** Publishes a new bot, or what changed of one, to its managers. The bot must be locked or new. */
export async function publishBot(
  tx: PrismaTx,
  before: Bot | null,
  after: Bot,
  requestId: string | null,
): Promise<void> {
  // Managers depend on roles, so this must not interleave with changes of roles.
  await shareAdministration(tx, after.account.realmId)
  const administrators = await listAdministrators(tx, after.account.realmId)
  const managed = before ? managersOf(before.account, administrators) : []
  const manage = managersOf(after.account, administrators)
  const record = toBotRecord(after)
  const changed = before ? botChangesOf(toBotRecord(before), record) : []
  const gained = manage.filter((id) => !managed.includes(id))
  const lost = managed.filter((id) => !manage.includes(id))
  if (changed.length + gained.length + lost.length === 0) return
  await publish(
    tx,
    domainEvents.users.botUpdated,
    {
      bot: record,
      changed,
      remaining_user_ids: manage.filter((id) => managed.includes(id)),
      gained_user_ids: gained,
      lost_user_ids: lost,
    },
    { realmId: after.account.realmId, requestId },
  )
}

/** The same if only the account changed. Does nothing for the system bot, which has no managers. */
export async function publishBotAccount(
  tx: PrismaTx,
  before: Account,
  after: Account,
  requestId: string | null,
): Promise<void> {
  const details = await findBotDetails(tx, after.id)
  if (details) await publishBot(tx, { account: before, details }, { account: after, details }, requestId)
}
