import type { Queryable } from '@tms/service-kit'

/** For each group, the groups within it including itself, but none within deactivated ones, and whether the user is a direct member of any. */
export async function listNestedGroups(
  db: Queryable,
  realmId: number,
  groupIds: readonly number[],
  userId: number,
): Promise<{ groupId: number; within: number[]; isMember: boolean }[]> {
  const { rows } = await db.query<{ groupId: number; within: number[]; isMember: boolean }>({
    name: 'groups-within-groups',
    text: `
      with recursive within (root_id, group_id) as (
        select id, id from unnest($2::int[]) as root (id)
         union
        select root_id, subgroup_id
          from within
          join user_groups on id = group_id and realm_id = $1 and not is_deactivated
         cross join lateral unnest(subgroup_ids) as subgroup (subgroup_id)
      )
      select root_id as "groupId", json_agg(group_id) as within,
             coalesce(bool_or($3 = any (member_ids)), false) as "isMember"
        from within
        left join user_groups on id = group_id and realm_id = $1 and not is_deactivated
       group by root_id`,
    values: [realmId, groupIds, userId],
  })
  return rows
}
