import { domainEvents } from '@tms/contracts'
import { publisherOf } from '@tms/service-kit'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { sorted } from './editing.ts'
import { type Group, updateGroupRow } from './group.queries.ts'
import { toGroupProjection } from './group-record.ts'

const publish = publisherOf('users')

/**
 * Adds and removes active users of a custom group one by one, as if by themselves, so that no notice is sent. Lock the
 * groups first.
 */
export async function moveMembers(
  tx: PrismaTx,
  group: Group,
  { added, removed }: { readonly added: readonly number[]; readonly removed: readonly number[] },
  requestId: string | null,
): Promise<void> {
  const members = new Set(group.memberIds)
  const move = async (id: number, ids: { added_user_ids: number[]; removed_user_ids: number[] }) => {
    const after = await updateGroupRow(tx, group.id, { memberIds: sorted([...members]) })
    const payload = { group_id: group.id, ...ids, actor_id: id, projection: toGroupProjection(after) }
    const cause = { realmId: group.realmId, requestId }
    await publish(tx, domainEvents.users.userGroupMembersChanged, payload, cause)
  }
  for (const id of removed) {
    members.delete(id)
    await move(id, { added_user_ids: [], removed_user_ids: [id] })
  }
  for (const id of added) {
    members.add(id)
    await move(id, { added_user_ids: [id], removed_user_ids: [] })
  }
}
