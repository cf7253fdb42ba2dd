import { domainEvents } from '@tms/contracts'
import { asTx, publisherOf } from '@tms/service-kit'
import type { Person } from '../accounts/account.queries.ts'
import { shareEmailVisibilityLock } from '../accounts/email-visibility.queries.ts'
import type { PrismaTx } from '../context.ts'
import { type Bot, findBotDetails, listAdministrators } from './bot.queries.ts'
import { botChangesOf, managersOf, toBotRecord } from './bot-record.ts'

const publish = publisherOf('users')

/** Tells those who manage a bot what is another in it now; all of it when it is new. The bot is locked, or nobody knows it. */
export async function publishBot(
  tx: PrismaTx,
  before: Bot | null,
  after: Bot,
  requestId: string | null,
): Promise<void> {
  // Who manages it follows from roles, so it takes turns with their changes.
  await shareEmailVisibilityLock(tx, after.person.realmId)
  const administrators = await listAdministrators(asTx(tx), after.person.realmId)
  const managed = before ? managersOf(before.person, administrators) : []
  const manage = managersOf(after.person, administrators)
  const record = toBotRecord(after)
  const changed = before ? botChangesOf(toBotRecord(before), record) : []
  const gained = manage.filter((id) => !managed.includes(id))
  const lost = managed.filter((id) => !manage.includes(id))
  if (changed.length + gained.length + lost.length === 0) return
  await publish(
    asTx(tx),
    domainEvents.users.botUpdated,
    {
      bot: record,
      changed,
      remaining_user_ids: manage.filter((id) => managed.includes(id)),
      gained_user_ids: gained,
      lost_user_ids: lost,
    },
    { realmId: after.person.realmId, requestId },
  )
}

/** The same, when only the account changed; nothing for an organization's own actor, whom nobody manages. */
export async function publishBotAccount(
  tx: PrismaTx,
  before: Person,
  after: Person,
  requestId: string | null,
): Promise<void> {
  const details = await findBotDetails(asTx(tx), after.id)
  if (details) await publishBot(tx, { person: before, details }, { person: after, details }, requestId)
}
