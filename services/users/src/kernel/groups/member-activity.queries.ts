import { type GroupPermissionValues, groupPermissionNames, withoutMembers } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/** Custom groups of which the user is a direct member, by ID. */
export async function listGroupsOfMember(
  db: Queryable,
  realmId: number,
  userId: number,
): Promise<{ group_id: number; is_deactivated: boolean }[]> {
  const { rows } = await db.query<{ group_id: number; is_deactivated: boolean }>({
    name: 'groups-of-member',
    text: `
      select id as group_id, is_deactivated
        from user_groups
       where realm_id = $1 and $2::int = any (member_ids)
       order by id`,
    values: [realmId, userId],
  })
  return rows
}

/** Permissions of a custom group that name a user, without deactivated users. */
interface NamingPermissions {
  readonly group_id: number
  readonly is_deactivated: boolean
  readonly data: Partial<GroupPermissionValues>
}

/** The permissions on custom groups that name the user directly, by ID of the group. */
export async function listPermissionsNaming(
  db: Queryable,
  realmId: number,
  userId: number,
): Promise<NamingPermissions[]> {
  const { rows } = await db.query<{
    groupId: number
    isDeactivated: boolean
    permissions: GroupPermissionValues
    deactivatedIds: number[]
  }>({
    name: 'groups-with-permissions-naming-user',
    text: `
      select id as "groupId", is_deactivated as "isDeactivated", permissions,
             array(
               select accounts.id
                 from jsonb_each(permissions) as permission (name, value)
                cross join lateral jsonb_array_elements(value -> 'direct_members') as listed (member)
                 join accounts on accounts.id = member::int
                where jsonb_typeof(value) = 'object' and not is_active) as "deactivatedIds"
        from user_groups
       where realm_id = $1
         and exists (
               select from jsonb_each(permissions) as permission (name, value)
                where value -> 'direct_members' @> to_jsonb($2::int))
       order by id`,
    values: [realmId, userId],
  })
  return rows.map(({ groupId, isDeactivated, permissions, deactivatedIds }) => {
    const deactivated = new Set(deactivatedIds)
    const naming = groupPermissionNames.filter((name) => {
      const value = permissions[name]
      return typeof value === 'object' && value.direct_members.includes(userId)
    })
    const data = Object.fromEntries(
      naming.map((name) => [name, withoutMembers(permissions[name], deactivated)]),
    )
    return { group_id: groupId, is_deactivated: isDeactivated, data }
  })
}
