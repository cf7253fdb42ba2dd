import type { GroupPermission, UserGroupProjection } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { caseKey } from '../case-key.ts'

/** What mentions need to know of a group. */
export interface KnownGroup {
  readonly groupId: number
  readonly name: string
  readonly canMention: GroupPermission
}

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

/** Known groups by name, ignoring case. */
export async function listKnownGroupsByName(
  db: Queryable,
  realmId: number,
  names: readonly string[],
): Promise<KnownGroup[]> {
  const { rows } = await db.query<KnownGroup>({
    name: 'list-known-groups-by-name',
    text: `
      select group_id as "groupId", name, can_mention_group as "canMention"
        from known_groups
       where realm_id = $1
         and name_key = any($2)
         and not is_deleted`,
    values: [realmId, names.map(caseKey)],
  })
  return rows
}

/** Those of these groups that are custom groups. */
export async function listKnownGroups(db: Queryable, groupIds: readonly number[]): Promise<KnownGroup[]> {
  const { rows } = await db.query<KnownGroup>({
    name: 'list-known-groups',
    text: `
      select group_id as "groupId", name, can_mention_group as "canMention"
        from known_groups
       where group_id = any($1)
         and not is_deleted`,
    values: [groupIds],
  })
  return rows
}

/** SQL: these groups and all their subgroups, by ID. System groups among them have no row. */
const WITHIN = `
  with recursive within (group_id) as (
    select unnest($1::bigint[])
     union
    select subgroup.group_id
      from within
      join known_groups using (group_id)
     cross join lateral unnest(subgroup_ids) as subgroup (group_id)
     where not is_deleted
  )`

/** These groups and all their subgroups, and whether one of these users is a direct member of any. */
export async function findSubgroups(
  db: Queryable,
  groupIds: readonly number[],
  userIds: readonly number[],
): Promise<{ groupIds: number[]; isMember: boolean }> {
  const { rows } = await db.query<{ groupIds: number[] | null; isMember: boolean | null }>({
    name: 'find-groups-within',
    text: `${WITHIN}
      select json_agg(group_id) as "groupIds", bool_or(member_ids && $2) as "isMember"
        from within
        left join known_groups using (group_id)`,
    values: [groupIds, userIds],
  })
  const [row] = rows
  return { groupIds: row?.groupIds ?? [], isMember: row?.isMember ?? false }
}

/** Members of the system groups among some groups: all users up to a role, and members who joined by a time. */
export interface RoleBounds {
  /** 0 for nobody. */
  readonly roleAtMost: number
  /** UNIX seconds; null if the time of joining doesn't matter. */
  readonly membersJoinedBy: number | null
}

/**
 * Active members of groups and their subgroups who receive messages of a channel or conversation: those who ever
 * subscribed, or the members of the conversation. The cost grows with the smaller of groups and audience; if roles are
 * included, with the audience.
 */
export async function listRecipientsInGroups(
  db: Queryable,
  groupIds: readonly number[],
  { channelId, recipientId }: { channelId: number | null; recipientId: number },
  { roleAtMost, membersJoinedBy }: RoleBounds,
): Promise<number[]> {
  const isByRole = roleAtMost > 0
  const { rows } = await db.query<{ userId: number }>({
    ...(isByRole ? MEMBERS_OR_ROLES : MEMBERS),
    values: [groupIds, channelId, recipientId, ...(isByRole ? [roleAtMost, membersJoinedBy] : [])],
  })
  return rows.map(({ userId }) => userId)
}

const recipientsInGroups = (condition: string) => `${WITHIN}, members (user_id) as (
    select unnest(member_ids)
      from within
      join known_groups using (group_id)
     where not is_deleted
  ), audience (user_id) as (
    select user_id from subscriptions where channel_id = $2
     union all
    select unnest(user_ids) from conversations where recipient_id = $3
  )
  select user_id as "userId"
    from audience
    join known_users using (user_id)
   where projection -> 'is_active' = 'true'
     and (${condition})
   order by user_id`

const IS_MEMBER = 'user_id in (select user_id from members)'
const MEMBERS = { name: 'list-recipients-in-groups', text: recipientsInGroups(IS_MEMBER) }
const MEMBERS_OR_ROLES = {
  name: 'list-recipients-in-groups-or-roles',
  text: recipientsInGroups(`
         ${IS_MEMBER}
      or (projection -> 'role')::int <= $4
      or ((projection -> 'role')::int = 400 and (projection -> 'date_joined')::bigint <= $5::bigint)`),
}
