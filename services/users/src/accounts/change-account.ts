import { domainEvents, Role, type UserChange } from '@tms/contracts'
import { publisherOf } from '@tms/service-kit'
import { publishBotAccount } from '../bots/publish-bot.ts'
import { publishBotVisibility } from '../bots/publish-bot-visibility.ts'
import { closeEmailChanges } from '../email-changes/email-change.queries.ts'
import type { Prisma } from '../generated/prisma/client.ts'
import { changeSystemGroups } from '../groups/system-membership.ts'
import { endInvitationsOf } from '../invitations/end-invitations.ts'
import { type Account, updateAccount } from '../kernel/accounts/account.queries.ts'
import { readUnfilteredRecord } from '../kernel/accounts/unfiltered-record.ts'
import { toUserProjection } from '../kernel/accounts/user-projection.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { publishRestrictionOfRole } from '../kernel/guest-visibility/publish-guest-restriction.ts'
import { deletePasswordResets } from '../password-reset/password-reset.queries.ts'
import { deletePushDevices } from '../push-devices/push-device.queries.ts'
import { orderEmailVisibilityChange, publishEmailVisibility } from './publish-email-visibility.ts'
import { userChangesOf } from './user-changes.rules.ts'

const publish = publisherOf('users')

/**
 * Updates an account and publishes what changed: to everyone who can see it, and for a bot also to its managers.
 * Publishes nothing if nothing changed. `before` must be locked (`lockAccount`). `alsoChanged` lists changes outside
 * the account's columns.
 */
export async function changeAccount(
  tx: PrismaTx,
  before: Account,
  change: Prisma.AccountUncheckedUpdateInput,
  requestId: string | null,
  alsoChanged: readonly UserChange[] = [],
): Promise<Account> {
  await orderEmailVisibilityChange(tx, before.realmId, change)
  const after = await updateAccount(tx, before.id, change)
  await endRights(tx, before, after, requestId)
  const changes = [...userChangesOf(before, after), ...alsoChanged]
  if (changes.length > 0) {
    await publish(
      tx,
      domainEvents.users.userUpdated,
      {
        user_id: after.id,
        changes,
        user: await readUnfilteredRecord(tx, after),
        projection: toUserProjection(after),
      },
      { realmId: after.realmId, requestId },
    )
  }
  await publishEmailVisibility(tx, before, after, requestId)
  await publishRestrictionOfRole(tx, before, after, requestId)
  await publishBotVisibility(tx, before, after, requestId)
  if (after.isBot) await publishBotAccount(tx, before, after, requestId)
  await changeSystemGroups(tx, before, after, requestId)
  return after
}

/** Ends what must not survive a loss of rights, and must not return when the rights do. */
async function endRights(
  tx: PrismaTx,
  before: Account,
  after: Account,
  requestId: string | null,
): Promise<void> {
  const isDeactivated = before.isActive && !after.isActive
  const becomesGuest = before.role <= Role.member && after.role > Role.member
  // Invitations of deactivated users and guests must not let anyone in.
  if (isDeactivated || becomesGuest) await endInvitationsOf(tx, after, requestId)
  if (!isDeactivated) return
  await deletePasswordResets(tx, after.id)
  await closeEmailChanges(tx, after.id)
  await deletePushDevices(tx, after.id)
}
