import { domainEvents } from '@tms/contracts'
import type { Account } from '../accounts/account.queries.ts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { publish } from '../publish.ts'
import { listGroupsOfMember, listPermissionsNaming } from './member-activity.queries.ts'
import { directGroupsOf } from './system-membership.rules.ts'
import { isInWaitingPeriod } from './waiting-member.queries.ts'

/** A part becomes one client event per group, and at most 2,048 are allowed. */
const MAX_GROUPS = 1_000

/**
 * Publishes that a user left all groups by deactivation, or came back. The members of a group,
 * and the users that its permissions name, stay as they are stored. Lock the groups before the account.
 */
export async function publishMemberActivity(
  tx: PrismaTx,
  before: Account,
  after: Account,
  requestId: string | null,
): Promise<void> {
  if (before.isActive === after.isActive || after.isSystemBot) return
  const { id, realmId, role, isActive } = after
  const isWaiting = await isInWaitingPeriod(tx, id)
  const groups = [
    ...directGroupsOf({ role, isWaiting }).map((group_id) => ({ group_id, is_deactivated: false })),
    ...(await listGroupsOfMember(tx, realmId, id)),
  ]
  const permissions = await listPermissionsNaming(tx, realmId, id)
  for (let start = 0; start < Math.max(groups.length, permissions.length); start += MAX_GROUPS) {
    await publish(
      tx,
      domainEvents.users.groupMemberActivityChanged,
      {
        user_id: id,
        is_active: isActive,
        groups: groups.slice(start, start + MAX_GROUPS),
        permissions: permissions.slice(start, start + MAX_GROUPS),
      },
      { realmId, requestId },
    )
  }
}
