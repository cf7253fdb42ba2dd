import type { UserGroupProjection } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { caseKey } from '../kernel/text/case-key.ts'

/** Saves groups whose version is newer. */
export async function saveGroups(db: Queryable, groups: readonly UserGroupProjection[]): Promise<void> {
  for (const group of groups) {
    await db.query({
      name: 'save-group',
      text: `
        insert into known_groups as known
               (group_id, realm_id, name, name_key, member_ids, subgroup_ids, can_mention_group, is_deleted, version)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            on conflict (group_id) do update
           set (realm_id, name, name_key, member_ids, subgroup_ids, can_mention_group, is_deleted, version) =
               (excluded.realm_id, excluded.name, excluded.name_key, excluded.member_ids, excluded.subgroup_ids,
                excluded.can_mention_group, excluded.is_deleted or known.is_deleted, excluded.version)
         where excluded.version > known.version`,
      values: [
        group.group_id,
        group.realm_id,
        group.name,
        caseKey(group.name),
        group.member_ids,
        group.subgroup_ids,
        JSON.stringify(group.can_mention_group),
        group.is_deleted,
        group.version,
      ],
    })
  }
}

/** Groups that are known here and not deleted. */
export async function listKnownGroupIds(db: Queryable): Promise<number[]> {
  const { rows } = await db.query<{ groupId: number }>(
    'select group_id as "groupId" from known_groups where not is_deleted',
  )
  return rows.map(({ groupId }) => groupId)
}

/** Marks groups as deleted, whatever version of them is known. */
export async function markGroupsDeleted(db: Queryable, groupIds: readonly number[]): Promise<void> {
  await db.query({
    name: 'mark-groups-deleted',
    text: 'update known_groups set is_deleted = true where group_id = any ($1::bigint[]) and not is_deleted',
    values: [groupIds],
  })
}

/** Deletes the groups of an organization. */
export async function deleteKnownGroups(tx: Tx, realmId: number): Promise<void> {
  await tx.query({
    name: 'delete-known-groups',
    text: 'delete from known_groups where realm_id = $1',
    values: [realmId],
  })
}
