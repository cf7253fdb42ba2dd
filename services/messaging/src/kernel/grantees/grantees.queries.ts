import { type ChannelGrantees, FIRST_CUSTOM_GROUP_ID, Role, systemGroupIds } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { IS_ACTIVE } from '../groups/known-group.queries.ts'
import { incrementVersions } from '../locks/version.queries.ts'

/** Who sees a private channel by a permission on it, and who of them reads it. */
export interface Grantees {
  /** The weakest roles that do; 0 for none. */
  readonly viewerRole: number
  readonly readerRole: number
  /** Whether full members are among the users: who they are changes with time. */
  readonly admitsFullMembers: boolean
  /** Single users, and whether they read it. */
  readonly users: ReadonlyMap<number, boolean>
}

export const NO_GRANTEES: Grantees = {
  viewerRole: 0,
  readerRole: 0,
  admitsFullMembers: false,
  users: new Map(),
}

type Pair = [id: number, isReader: boolean]

/** Users and groups that permissions name, each with whether the permission makes a reader. */
export interface NamedGrantees {
  readonly users: readonly Pair[]
  readonly groups: readonly Pair[]
}

/**
 * Finds the users that are named, the members of the custom groups that are named and of their subgroups, and the system groups
 * among these. Of the system groups, full members are listed as users, since no role tells who they are.
 */
export async function findNamed(
  db: Queryable,
  { realmId, waitSeconds }: { realmId: number; waitSeconds: number },
  { users, groups }: NamedGrantees,
): Promise<{ users: Map<number, boolean>; systemGroups: Pair[] }> {
  const { rows } = await db.query<{ users: Pair[]; systemGroups: Pair[] }>({
    name: 'find-named-grantees',
    text: `
      with recursive within (group_id, is_reader) as (
        select group_id, is_reader from unnest($1::bigint[], $2::boolean[]) as named (group_id, is_reader)
         union
        select subgroup.group_id, within.is_reader
          from within
          join known_groups using (group_id)
         cross join lateral unnest(subgroup_ids) as subgroup (group_id)
         where ${IS_ACTIVE}
      ), named_users (user_id, is_reader) as (
        select user_id, is_reader from unnest($3::bigint[], $4::boolean[]) as named (user_id, is_reader)
         union all
        select member.user_id, within.is_reader
          from within
          join known_groups using (group_id)
         cross join lateral unnest(member_ids) as member (user_id)
         where ${IS_ACTIVE}
         union all
        select known_users.user_id, within.is_reader
          from within
          join known_users on known_users.realm_id = $5
         where within.group_id = ${systemGroupIds['role:fullmembers']}
           -- Where nobody waits, the role of members stands for them.
           and $6::bigint > 0
           and published_role = ${Role.member}
           and (projection -> 'date_joined')::bigint <= floor(extract(epoch from now()))::bigint - $6::bigint
      )
      select (select coalesce(json_agg(json_build_array(user_id, is_reader) order by user_id), '[]')
                from (select user_id, bool_or(is_reader) as is_reader from named_users group by user_id) as by_user
             ) as users,
             (select coalesce(json_agg(json_build_array(group_id, is_reader)), '[]')
                from within
               where group_id < ${FIRST_CUSTOM_GROUP_ID}) as "systemGroups"`,
    values: [
      groups.map(([id]) => id),
      groups.map(([, isReader]) => isReader),
      users.map(([id]) => id),
      users.map(([, isReader]) => isReader),
      realmId,
      waitSeconds,
    ],
  })
  const [row] = rows
  return { users: new Map(row?.users), systemGroups: row?.systemGroups ?? [] }
}

/** The grantees of a channel as they are stored, which are those last published. */
export async function findGrantees(db: Queryable, channelId: number): Promise<Grantees> {
  const { rows } = await db.query<Omit<Grantees, 'users'> & { users: Pair[] }>({
    name: 'find-grantees',
    text: `
      select viewer_role as "viewerRole", reader_role as "readerRole", admits_full_members as "admitsFullMembers",
             (select coalesce(json_agg(json_build_array(user_id, is_reader)), '[]')
                from channel_grantees
               where channel_id = channels.id) as users
        from channels
       where id = $1`,
    values: [channelId],
  })
  const [row] = rows
  return row ? { ...row, users: new Map(row.users) } : NO_GRANTEES
}

/** Replaces the grantees of a channel. Needs its lock. `withdraws`: what a sender may do is checked again. */
export async function saveGrantees(
  tx: Tx,
  channelId: number,
  { viewerRole, readerRole, admitsFullMembers, users }: Grantees,
  withdraws: boolean,
): Promise<void> {
  await tx.query({
    name: 'save-grantees',
    text: `
      with wanted as materialized (
        select user_id, is_reader from unnest($2::bigint[], $3::boolean[]) as wanted (user_id, is_reader)
      ), removed as (
        delete from channel_grantees
         where channel_id = $1
           and not exists (select from wanted where wanted.user_id = channel_grantees.user_id)
      ), stored as (
        insert into channel_grantees (channel_id, user_id, is_reader)
        select $1, user_id, is_reader from wanted
            on conflict (channel_id, user_id) do update set is_reader = excluded.is_reader
         where channel_grantees.is_reader <> excluded.is_reader
      ), updated as (
        update channels
           set viewer_role = $4, reader_role = $5, admits_full_members = $6
         where id = $1
        returning recipient_id
      ), changed as (
        select recipient_id from updated where $7::boolean
      )
      ${incrementVersions('changed')}`,
    values: [
      channelId,
      [...users.keys()],
      [...users.values()],
      viewerRole,
      readerRole,
      admitsFullMembers,
      withdraws,
    ],
  })
}

/** The viewers of each of these private channels, as events contain them; a channel without any is missing. */
export function listViewers(
  db: Queryable,
  channelIds: readonly number[],
): Promise<Map<number, ChannelGrantees>> {
  return listGrantees(db, 'list-viewers', { role: 'viewer_role', condition: '' }, channelIds)
}

/** The same for those who read it. */
export function listReaders(
  db: Queryable,
  channelIds: readonly number[],
): Promise<Map<number, ChannelGrantees>> {
  return listGrantees(db, 'list-readers', { role: 'reader_role', condition: 'and is_reader' }, channelIds)
}

async function listGrantees(
  db: Queryable,
  name: string,
  { role, condition }: { readonly role: string; readonly condition: string },
  channelIds: readonly number[],
): Promise<Map<number, ChannelGrantees>> {
  if (channelIds.length === 0) return new Map()
  const { rows } = await db.query<{ channelId: number; roleAtMost: number; userIds: number[] }>({
    name,
    text: `
      select channels.id as "channelId", ${role} as "roleAtMost", grantees.user_ids as "userIds"
        from channels
       cross join lateral (
              select coalesce(json_agg(user_id order by user_id), '[]') as user_ids, count(*) as count
                from channel_grantees
               where channel_id = channels.id ${condition}) as grantees
       where channels.id = any($1)
         and invite_only
         and (${role} > 0 or grantees.count > 0)`,
    values: [channelIds],
  })
  return new Map(
    rows.map(({ channelId, roleAtMost, userIds }) => [
      channelId,
      { role_at_most: roleAtMost, user_ids: userIds },
    ]),
  )
}
