import { domainEvents, type PersonChange } from '@tms/contracts'
import { asTx, publisherOf } from '@tms/service-kit'
import { tellBotAccount } from '../bots/tell-bot.ts'
import { tellBotSight } from '../bots/tell-bot-sight.ts'
import type { PrismaTx } from '../context.ts'
import type { Prisma } from '../generated/prisma/client.ts'
import { changeSystemGroups } from '../groups/system-membership.ts'
import { tellNewGuest } from '../guest-sights/tell-replaced.ts'
import { endInvitationsOf } from '../invitations/end-invitations.ts'
import { type Person, updatePerson } from './account.queries.ts'
import { personChangesOf } from './person-changes.rules.ts'
import { orderAddressSight, tellAddressSight } from './tell-address-sight.ts'
import { toUserFacts } from './user-facts.ts'
import { toWholeRecord } from './user-record.ts'

const publish = publisherOf('users')

/**
 * Changes an account and tells everyone who sees it what is another now, and of a bot those who manage it; nothing is
 * told if nothing is. `before` must be locked (`lockPerson`). `alsoChanged` are changes of what isn't in the account's row.
 */
export async function changePerson(
  tx: PrismaTx,
  before: Person,
  change: Prisma.AccountUncheckedUpdateInput,
  requestId: string | null,
  alsoChanged: readonly PersonChange[] = [],
): Promise<Person> {
  await orderAddressSight(tx, before.realmId, change)
  const after = await updatePerson(tx, before.id, change)
  // Nobody comes in on behalf of someone who is out.
  if (before.isActive && !after.isActive) await endInvitationsOf(tx, after, requestId)
  const changes = [...personChangesOf(before, after), ...alsoChanged]
  if (changes.length > 0) {
    await publish(
      asTx(tx),
      domainEvents.users.userUpdated,
      { user_id: after.id, changes, user: toWholeRecord(after), facts: toUserFacts(after) },
      { realmId: after.realmId, requestId },
    )
  }
  await tellAddressSight(tx, before, after, requestId)
  await tellNewGuest(tx, before, after, requestId)
  await tellBotSight(tx, before, after, requestId)
  if (after.isBot) await tellBotAccount(tx, before, after, requestId)
  await changeSystemGroups(tx, before, after, requestId)
  return after
}
