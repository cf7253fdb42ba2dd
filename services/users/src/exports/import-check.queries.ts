import type { Tx } from '@tms/service-kit'

const IS_OF_REALM = 'exists (select from accounts where accounts.id = user_id and realm_id = $1)'

/**
 * Describes a reference to something outside the organization's records; null if there is none. IDs are unique in the
 * installation, so a foreign ID could belong to another organization.
 */
export async function findDanglingReference(
  tx: Tx,
  realmId: number,
  systemGroupIds: readonly number[],
): Promise<string | null> {
  const { rows } = await tx.query<{ fault: string }>(
    `select 'The owner of the bot ' || bots.id || ' is not a user of the organization' as fault
       from accounts bots
      where realm_id = $1
        and bot_owner_id is not null
        and not exists (
              select from accounts owners
               where owners.id = bots.bot_owner_id and owners.realm_id = $1 and not owners.is_bot)
      union all
     select 'The user ' || muters.id || ' mutes ' || user_id || ', who is not a user of the organization'
       from accounts muters,
            jsonb_to_recordset(muted_users) as muted (id int),
            cast(muted.id as int) as user_id
      where muters.realm_id = $1
        and muted_users <> '[]'
        and not ${IS_OF_REALM}
      union all
     select 'The user group ' || groups.id || ' has ' || user_id || ', who is not a user of the organization'
       from user_groups groups,
            unnest(array_append(member_ids, creator_id) || array(
              select member::int
                from jsonb_each(permissions) as permission (name, setting),
                     jsonb_array_elements_text(setting -> 'direct_members') as member)) as user_id
      where user_id is not null
        and groups.realm_id = $1
        and not ${IS_OF_REALM}
      union all
     select 'The user group ' || groups.id || ' has the group ' || used_id || ', which is not a group of the organization'
       from user_groups groups,
            unnest(subgroup_ids || array(
              select used::int
                from jsonb_each(permissions) as permission (name, setting),
                     jsonb_array_elements_text(case
                       when jsonb_typeof(setting) = 'number' then jsonb_build_array(setting)
                       else setting -> 'direct_subgroups'
                     end) as used)) as used_id
      where groups.realm_id = $1
        and used_id <> all ($2::int[])
        and not exists (select from user_groups others where others.id = used_id and others.realm_id = $1)
      union all
     select 'The invitation ' || invitations.id || ' comes from ' || creator_id || ', who is not a user of the organization'
       from invitations, cast(creator_id as int) as user_id
      where invitations.realm_id = $1
        and not ${IS_OF_REALM}
      limit 1`,
    [realmId, systemGroupIds],
  )
  return rows[0]?.fault ?? null
}

/** Which groups contain which, in an organization. */
export async function listGroupLinks(
  tx: Tx,
  realmId: number,
): Promise<{ id: number; direct_subgroup_ids: number[] }[]> {
  const { rows } = await tx.query<{ id: number; direct_subgroup_ids: number[] }>(
    'select id, subgroup_ids as direct_subgroup_ids from user_groups where realm_id = $1 order by id',
    [realmId],
  )
  return rows
}
