import { domainEvents, type UserChange } from '@tms/contracts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { type Account, updateAccount } from '../accounts/account.queries.ts'
import { readUnfilteredRecord } from '../accounts/unfiltered-record.ts'
import { toUserProjection } from '../accounts/user-projection.ts'
import { lockAdministration, shareAdministration } from '../administration/administration-lock.queries.ts'
import { publishBotAccount } from '../bots/publish-bot.ts'
import { publishBotVisibility } from '../bots/publish-bot-visibility.ts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { publishMemberActivity } from '../groups/member-activity.ts'
import { changeSystemGroups } from '../groups/system-membership.ts'
import { publishRestrictionOfRole } from '../guest-visibility/publish-guest-restriction.ts'
import { publish } from '../publish.ts'
import { endRights } from './end-rights.ts'
import { publishEmailVisibility } from './publish-email-visibility.ts'
import { userChangesOf } from './user-changes.rules.ts'

/**
 * Updates an account and publishes what changed: to everyone who can see it, and for a bot also to its managers.
 * Publishes nothing if nothing changed. `before` must be locked, and before it administration, if the change is one of
 * those that `lockAdministration` and `shareAdministration` name, and the groups, if it is one of activity. `alsoChanged` lists changes outside the account's
 * columns.
 */
export async function changeAccount(
  tx: PrismaTx,
  before: Account,
  change: Prisma.AccountUncheckedUpdateInput,
  requestId: string | null,
  alsoChanged: readonly UserChange[] = [],
): Promise<Account> {
  await lockAdministrationFor(tx, before, change)
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
  if ('passwordHash' in change) {
    const payload = { user_id: after.id, credential: 'password' } as const
    await publish(tx, domainEvents.users.credentialReplaced, payload, { realmId: after.realmId, requestId })
  }
  await publishEmailVisibility(tx, before, after, requestId)
  await publishRestrictionOfRole(tx, before, after, requestId)
  await publishBotVisibility(tx, before, after, requestId)
  if (after.isBot) await publishBotAccount(tx, before, after, requestId)
  await changeSystemGroups(tx, before, after, requestId)
  await publishMemberActivity(tx, before, after, requestId)
  return after
}

/** Held by now. If a caller has forgotten it, events are in order all the same, and the lock record shows it. */
async function lockAdministrationFor(
  tx: PrismaTx,
  before: Account,
  change: Prisma.AccountUncheckedUpdateInput,
): Promise<void> {
  const changes = (column: keyof Account & keyof Prisma.AccountUncheckedUpdateInput) =>
    column in change && change[column] !== before[column]
  if (changes('role') || changes('botOwnerId')) await lockAdministration(tx, before.realmId)
  else if (changes('deliveryEmail') || changes('emailAddressVisibility'))
    await shareAdministration(tx, before.realmId)
}
