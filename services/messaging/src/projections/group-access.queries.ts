import type { Queryable, Tx } from '@tms/service-kit'
import { PERMISSIONS } from '../kernel/channels/channel.queries.ts'
import { grantingPermissions } from '../kernel/grantees/grantees.rules.ts'
import type { GrantingChannel } from '../kernel/grantees/refresh-grantees.ts'
import { IS_ACTIVE } from '../kernel/groups/known-group.queries.ts'
import { locks } from '../kernel/locks/locks.ts'

/** Groups whose members changed since their access was published. */
export async function listPendingGroups(
  db: Queryable,
  among: readonly number[] | null = null,
): Promise<number[]> {
  const { rows } = await db.query<{ groupId: number }>({
    name: 'list-pending-groups',
    text: `
      select group_id as "groupId"
        from known_groups
       where is_access_pending
         and ($1::bigint[] is null or group_id = any ($1))
       order by group_id`,
    values: [among],
  })
  return rows.map(({ groupId }) => groupId)
}

/** Locks a group with pending access and returns its organization; null for another group. */
export async function lockPendingGroup(tx: Tx, groupId: number): Promise<number | null> {
  tx.lockRecord.add(locks.knownUsersAndRealms, [`group ${groupId}`])
  const { rows } = await tx.query<{ realmId: number }>({
    name: 'lock-pending-group',
    text: `
      select realm_id as "realmId"
        from known_groups
       where group_id = $1
         and is_access_pending
         for no key update`,
    values: [groupId],
  })
  return rows[0]?.realmId ?? null
}

/** Records that the access of the present members is published. */
export async function saveAccessPublished(tx: Tx, groupId: number): Promise<void> {
  await tx.query({
    name: 'save-access-published',
    text: 'update known_groups set is_access_pending = false where group_id = $1',
    values: [groupId],
  })
}

const NAMES = grantingPermissions.map((name) => `'${name}'`).join(', ')

/**
 * Private channels, archived ones too, whose permissions that let somebody see them name a group or one that contains it. Scans
 * the private channels of the organization.
 */
export async function listGrantingChannels(
  db: Queryable,
  realmId: number,
  groupId: number,
): Promise<(GrantingChannel & { recipientId: number })[]> {
  const { rows } = await db.query<GrantingChannel & { recipientId: number }>({
    name: 'list-channels-granting-to-group',
    text: `
      with recursive containing (group_id) as (
        select $2::bigint
         union
        select known_groups.group_id
          from containing
          join known_groups on realm_id = $1 and subgroup_ids @> array[containing.group_id] and ${IS_ACTIVE}
      )
      select id, realm_id as "realmId", recipient_id as "recipientId", invite_only as "inviteOnly",
             ${PERMISSIONS} as permissions
        from channels
       where realm_id = $1
         and invite_only
         and exists (
               select
                 from jsonb_each(permissions) as permission (name, value)
                 join containing
                   on value = to_jsonb(group_id) or value -> 'direct_subgroups' @> to_jsonb(group_id)
                where name in (${NAMES}))
       order by id`,
    values: [realmId, groupId],
  })
  return rows
}

/** Channels, of all organizations, that full members see as such. Scans the table of channels. */
export async function listChannelsOfFullMembers(
  db: Queryable,
  onlyId: number | null = null,
): Promise<(GrantingChannel & { recipientId: number })[]> {
  const { rows } = await db.query<GrantingChannel & { recipientId: number }>({
    name: 'list-channels-of-full-members',
    text: `
      select id, realm_id as "realmId", recipient_id as "recipientId", invite_only as "inviteOnly",
             ${PERMISSIONS} as permissions
        from channels
       where admits_full_members
         and ($1::bigint is null or id = $1)
       order by id`,
    values: [onlyId],
  })
  return rows
}
