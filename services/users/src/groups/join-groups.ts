import { domainEvents } from '@tms/contracts'
import { publisherOf } from '@tms/service-kit'
import type { Account } from '../kernel/accounts/account.queries.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { sorted } from './editing.ts'
import { listGroupRows, updateGroupRow } from './group.queries.ts'
import { toGroupProjection } from './group-record.ts'

const publish = publisherOf('users')

/**
 * Adds a new account to custom groups, as if by itself, so that no notice is sent. Groups that don't exist any more
 * or are deactivated are passed over. Lock the groups first.
 */
export async function joinGroups(
  tx: PrismaTx,
  { id, realmId }: Pick<Account, 'id' | 'realmId'>,
  groupIds: readonly number[],
  requestId: string,
): Promise<void> {
  if (groupIds.length === 0) return
  const groups = (await listGroupRows(tx, realmId)).filter(
    (group) => groupIds.includes(group.id) && !group.isDeactivated,
  )
  for (const group of groups) {
    const after = await updateGroupRow(tx, group.id, { memberIds: sorted([...group.memberIds, id]) })
    const projection = toGroupProjection(after)
    await publish(
      tx,
      domainEvents.users.userGroupMembersChanged,
      { group_id: group.id, added_user_ids: [id], removed_user_ids: [], actor_id: id, projection },
      { realmId, requestId },
    )
  }
}
