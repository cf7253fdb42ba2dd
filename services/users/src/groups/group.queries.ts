import type { GroupPermission, GroupPermissionValues, UserGroup, UserGroupProjection } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { Prisma, UserGroup as StoredGroup } from '../generated/prisma/client.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import type { RoleMembers } from './system-groups.rules.ts'

/** A custom group, without its reservation (`reserveGroup`). */
export type Group = Omit<StoredGroup, 'permissions' | 'reservedUntil'> & {
  readonly permissions: GroupPermissionValues
}

export function createGroupRow(
  tx: PrismaTx,
  group: Omit<Group, 'id' | 'version'> & Prisma.UserGroupUncheckedCreateInput,
): Promise<Group> {
  return tx.userGroup.create({ data: group }) as unknown as Promise<Group>
}

/** Writes the change as the group's next version. Lock the groups first. */
export function updateGroupRow(
  tx: PrismaTx,
  id: number,
  change: Partial<Omit<Group, 'id' | 'realmId' | 'version'>>,
): Promise<Group> {
  const data: Prisma.UserGroupUncheckedUpdateInput = { ...change, version: { increment: 1 } }
  return tx.userGroup.update({ where: { id }, data }) as unknown as Promise<Group>
}

/** Custom groups of an organization, by ID, deactivated ones included. */
export function listGroupRows(tx: PrismaTx, realmId: number): Promise<Group[]> {
  return tx.userGroup.findMany({ where: { realmId }, orderBy: { id: 'asc' } }) as unknown as Promise<Group[]>
}

/** Which of these IDs are active accounts of the organization, without the system bot. */
export async function listActiveUserIds(
  db: Queryable,
  realmId: number,
  ids: readonly number[],
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'active-users-of-realm-by-id',
    text: `
      select id
        from accounts
       where realm_id = $1 and id = any ($2::int[]) and is_active and not is_system_bot`,
    values: [realmId, ids],
  })
  return rows.map(({ id }) => id)
}

/** Custom groups of an organization as they are stored, by ID, deactivated ones and members included. */
export async function listCustomGroups(db: Queryable, realmId: number): Promise<UserGroup[]> {
  const { rows } = await db.query<
    Omit<UserGroup, GroupPermission> & { readonly permissions: GroupPermissionValues }
  >({
    name: 'custom-groups-of-realm',
    text: `select id, name, description, creator_id, floor(extract(epoch from created_at))::int as date_created,
                  member_ids as members, subgroup_ids as direct_subgroup_ids, false as is_system_group,
                  is_deactivated as deactivated, permissions
             from user_groups
            where realm_id = $1
            order by id`,
    values: [realmId],
  })
  return rows.map(({ permissions, ...group }) => ({ ...group, ...permissions }))
}

/** Deactivated users of an organization. */
export async function listDeactivatedUserIds(db: Queryable, realmId: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'deactivated-users-of-realm',
    text: 'select id from accounts where realm_id = $1 and not is_active',
    values: [realmId],
  })
  return rows.map(({ id }) => id)
}

/** Which of these users of an organization are deactivated. */
export async function listDeactivatedAmong(
  db: Queryable,
  realmId: number,
  ids: readonly number[],
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'deactivated-users-of-realm-by-id',
    text: 'select id from accounts where realm_id = $1 and id = any ($2::int[]) and not is_active',
    values: [realmId, ids],
  })
  return rows.map(({ id }) => id)
}

/** Active users of an organization by role; members in their waiting period are separate. */
export async function listRoleMembers(db: Queryable, realmId: number): Promise<RoleMembers[]> {
  const { rows } = await db.query<RoleMembers>({
    name: 'role-members-of-realm',
    text: `select role, waiting_members.user_id is not null as "isWaiting", json_agg(id order by id) as "userIds"
             from accounts
             left join waiting_members on waiting_members.user_id = accounts.id
            where accounts.realm_id = $1
              and is_active
              and not is_system_bot
            group by 1, 2`,
    values: [realmId],
  })
  return rows
}

const PROJECTION_COLUMNS = `
  id as group_id, realm_id, name, member_ids, subgroup_ids,
  permissions -> 'can_mention_group' as can_mention_group, is_deactivated, false as is_deleted, version`

/** Projections of an organization's groups with these folded names. */
export async function listGroupProjectionsByName(
  db: Queryable,
  realmId: number,
  nameKeys: readonly string[],
): Promise<UserGroupProjection[]> {
  const { rows } = await db.query<UserGroupProjection>(
    `select ${PROJECTION_COLUMNS} from user_groups where realm_id = $1 and name_key = any ($2::text[]) order by id`,
    [realmId, nameKeys],
  )
  return rows
}

/** Projections of these groups, as far as they exist. */
export async function listGroupProjectionsById(
  db: Queryable,
  ids: readonly number[],
): Promise<UserGroupProjection[]> {
  const { rows } = await db.query<UserGroupProjection>({
    name: 'group-projection-by-id',
    text: `select ${PROJECTION_COLUMNS} from user_groups where id = any ($1::int[]) order by id`,
    values: [ids],
  })
  return rows
}

/** Projections of the next groups by ID. */
export async function listGroupProjectionsPage(
  db: Queryable,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<UserGroupProjection[]> {
  const { rows } = await db.query<UserGroupProjection>(
    `select ${PROJECTION_COLUMNS} from user_groups where id > $1 order by id limit $2`,
    [afterId, limit],
  )
  return rows
}

/** Projections of an organization's next groups by ID. */
export async function listGroupProjectionsOfRealm(
  db: Queryable,
  realmId: number,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<UserGroupProjection[]> {
  const { rows } = await db.query<UserGroupProjection>(
    `select ${PROJECTION_COLUMNS} from user_groups where realm_id = $1 and id > $2 order by id limit $3`,
    [realmId, afterId, limit],
  )
  return rows
}
