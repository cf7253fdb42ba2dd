import { domainEvents, type PersonChange, Role } from '@tms/contracts'
import { asTx, publisherOf } from '@tms/service-kit'
import { publishBotAccount } from '../bots/publish-bot.ts'
import { publishBotVisibility } from '../bots/publish-bot-visibility.ts'
import type { PrismaTx } from '../context.ts'
import { closeEmailChanges } from '../email-changes/email-change.queries.ts'
import type { Prisma } from '../generated/prisma/client.ts'
import { changeSystemGroups } from '../groups/system-membership.ts'
import { publishNewGuest } from '../guest-visibility/tell-replaced.ts'
import { endInvitationsOf } from '../invitations/end-invitations.ts'
import { deletePasswordResets } from '../password-reset/password-reset.queries.ts'
import { deletePushDevices } from '../push-devices/push-device.queries.ts'
import { type Person, updatePerson } from './account.queries.ts'
import { personChangesOf } from './person-changes.rules.ts'
import { orderEmailVisibilityChange, publishEmailVisibility } from './publish-email-visibility.ts'
import { toUserProjection } from './user-projection.ts'
import { readWholeRecord } from './whole-record.ts'

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
  await orderEmailVisibilityChange(tx, before.realmId, change)
  const after = await updatePerson(tx, before.id, change)
  await endRights(tx, before, after, requestId)
  const changes = [...personChangesOf(before, after), ...alsoChanged]
  if (changes.length > 0) {
    await publish(
      asTx(tx),
      domainEvents.users.userUpdated,
      {
        user_id: after.id,
        changes,
        user: await readWholeRecord(asTx(tx), after),
        projection: toUserProjection(after),
      },
      { realmId: after.realmId, requestId },
    )
  }
  await publishEmailVisibility(tx, before, after, requestId)
  await publishNewGuest(tx, before, after, requestId)
  await publishBotVisibility(tx, before, after, requestId)
  if (after.isBot) await publishBotAccount(tx, before, after, requestId)
  await changeSystemGroups(tx, before, after, requestId)
  return after
}

/** Ends what would outlast a loss of the account's rights, and must not be back when they are. */
async function endRights(
  tx: PrismaTx,
  before: Person,
  after: Person,
  requestId: string | null,
): Promise<void> {
  const isDeactivated = before.isActive && !after.isActive
  const becomesGuest = before.role <= Role.member && after.role > Role.member
  // Nobody comes in on behalf of someone who is out, or who could neither invite them nor take that back.
  if (isDeactivated || becomesGuest) await endInvitationsOf(tx, after, requestId)
  if (!isDeactivated) return
  await deletePasswordResets(tx, after.id)
  await closeEmailChanges(asTx(tx), after.id)
  await deletePushDevices(asTx(tx), after.id)
}
