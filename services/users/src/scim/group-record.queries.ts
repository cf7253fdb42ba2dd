import type { Queryable } from '@tms/service-kit'
import type { ProvisionedGroup } from './group.rules.ts'

/** With people alone: provisioning doesn't know bots, so it leaves them in their groups. */
const ACTIVE_GROUPS = `
  select stored.id,
         stored.name as "displayName",
         known.external_id as "externalId",
         array(select id from accounts where id = any (stored.member_ids) and not is_bot order by id) as "memberIds",
         stored.created_at as "createdAt"
    from user_groups stored
    left join scim_groups known on known.group_id = stored.id
   where stored.realm_id = $1
     and not stored.is_deactivated`

/** Active custom groups of an organization, by ID. */
export async function listActiveGroups(db: Queryable, realmId: number): Promise<ProvisionedGroup[]> {
  const { rows } = await db.query<ProvisionedGroup>(`${ACTIVE_GROUPS} order by stored.id`, [realmId])
  return rows
}

export async function findActiveGroup(
  db: Queryable,
  realmId: number,
  id: number,
): Promise<ProvisionedGroup | null> {
  const { rows } = await db.query<ProvisionedGroup>(`${ACTIVE_GROUPS} and stored.id = $2::bigint`, [
    realmId,
    id,
  ])
  return rows[0] ?? null
}

/** Active groups with a folded name. */
export async function listActiveGroupsByName(
  db: Queryable,
  realmId: number,
  nameKey: string,
): Promise<ProvisionedGroup[]> {
  const { rows } = await db.query<ProvisionedGroup>(`${ACTIVE_GROUPS} and stored.name_key = $2`, [
    ...[realmId, nameKey],
  ])
  return rows
}

/** Which of these IDs are active people of the organization. */
export async function listActivePeopleIds(
  db: Queryable,
  realmId: number,
  ids: readonly number[],
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    'select id from accounts where realm_id = $1 and id = any ($2::bigint[]) and is_active and not is_bot',
    [realmId, ids],
  )
  return rows.map(({ id }) => id)
}

/** Lock the groups first. */
export async function saveExternalId(
  tx: Queryable,
  { id, realmId }: { readonly id: number; readonly realmId: number },
  externalId: string | null,
): Promise<void> {
  await tx.query(
    `insert into scim_groups (group_id, realm_id, external_id) values ($1, $2, $3)
     on conflict (group_id) do update set external_id = excluded.external_id`,
    [id, realmId, externalId],
  )
}

/** Records that provisioning knows a group. Lock the groups first. */
export async function markProvisioned(
  tx: Queryable,
  { id, realmId }: { readonly id: number; readonly realmId: number },
): Promise<void> {
  await tx.query(
    'insert into scim_groups (group_id, realm_id) values ($1, $2) on conflict (group_id) do nothing',
    [id, realmId],
  )
}

/** Whether provisioning knew the group. */
export async function wasProvisioned(tx: Queryable, groupId: number): Promise<boolean> {
  const { rows } = await tx.query('select 1 from scim_groups where group_id = $1', [groupId])
  return rows.length > 0
}
