import type { GroupSettingValue } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { caseKey } from '../text/case-key.ts'

/** What mentions need to know of a group. */
export interface KnownGroup {
  readonly groupId: number
  readonly name: string
  readonly canMention: GroupSettingValue
}

/** SQL: whether a known group gives its members anything. */
export const IS_ACTIVE = 'not is_deleted and not is_deactivated'

/** Known active groups by name, ignoring case. */
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
         and ${IS_ACTIVE}`,
    values: [realmId, names.map(caseKey)],
  })
  return rows
}

/** Those of these groups that are active custom groups. */
export async function listKnownGroups(db: Queryable, groupIds: readonly number[]): Promise<KnownGroup[]> {
  const { rows } = await db.query<KnownGroup>({
    name: 'list-known-groups',
    text: `
      select group_id as "groupId", name, can_mention_group as "canMention"
        from known_groups
       where group_id = any($1)
         and ${IS_ACTIVE}`,
    values: [groupIds],
  })
  return rows
}

/** SQL: these groups and all their subgroups, by ID, but none within inactive ones. System groups have no row. */
const WITHIN = `
  with recursive within (group_id) as (
    select unnest($1::bigint[])
     union
    select subgroup.group_id
      from within
      join known_groups using (group_id)
     cross join lateral unnest(subgroup_ids) as subgroup (group_id)
     where ${IS_ACTIVE}
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
      select json_agg(group_id) as "groupIds", bool_or(member_ids && $2) filter (where ${IS_ACTIVE}) as "isMember"
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
     where ${IS_ACTIVE}
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
