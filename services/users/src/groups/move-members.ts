import { domainEvents } from '@tms/contracts'
import { publisherOf } from '@tms/service-kit'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { sorted } from './editing.ts'
import { type Group, updateGroupRow } from './group.queries.ts'
import { toGroupProjection } from './group-record.ts'

const publish = publisherOf('users')

/** Adds and removes users of a custom group for a directory or for provisioning: no notice is sent. Lock the groups first. */
export async function moveMembers(
  tx: PrismaTx,
  group: Group,
  { added, removed }: { readonly added: readonly number[]; readonly removed: readonly number[] },
  requestId: string | null,
): Promise<void> {
  const gone = new Set(removed)
  const memberIds = sorted([...group.memberIds.filter((id) => !gone.has(id)), ...added])
  const after = await updateGroupRow(tx, group.id, { memberIds })
  await publish(
    tx,
    domainEvents.users.userGroupMembersChanged,
    {
      group_id: group.id,
      added_user_ids: [...added],
      removed_user_ids: [...removed],
      actor_id: null,
      projection: toGroupProjection(after),
    },
    { realmId: group.realmId, requestId },
  )
}
