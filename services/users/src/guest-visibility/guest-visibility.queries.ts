import type { Queryable, Tx } from '@tms/service-kit'
import { locks } from '../kernel/locks.ts'

/**
 * Claims the next change from messaging and locks the organization's row until the transaction ends. False if the
 * change was applied before.
 */
export async function claimVisibilityChange(tx: Tx, realmId: number, number: number): Promise<boolean> {
  tx.lockRecord.add(locks.guestVisibility, [realmId])
  const { rows } = await tx.query(
    `insert into guest_visibility_policies (realm_id, last_change_number)
     values ($1, $2)
         on conflict (realm_id) do update
        set last_change_number = excluded.last_change_number
      where guest_visibility_policies.last_change_number < excluded.last_change_number
     returning realm_id`,
    [realmId, number],
  )
  return rows.length > 0
}

/** False if nothing changes. */
export async function saveGuestRestriction(
  tx: Queryable,
  realmId: number,
  isLimited: boolean,
): Promise<boolean> {
  const { rows } = await tx.query(
    `update guest_visibility_policies
        set is_limited = $2
      where realm_id = $1
        and is_limited <> $2
     returning realm_id`,
    [realmId, isLimited],
  )
  return rows.length > 0
}

/** Guests of an organization, by ID. */
export async function listGuestIds(tx: Queryable, realmId: number, guestRole: number): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(
    'select id from accounts where realm_id = $1 and role = $2 order by id',
    [realmId, guestRole],
  )
  return rows.map(({ id }) => id)
}

/**
 * Share-locks accounts until the transaction ends, so that their events are ordered with other changes. Locks in the
 * order of IDs to avoid deadlocks. Skips bots and accounts of other organizations.
 */
export async function lockUsers(
  tx: Tx,
  realmId: number,
  ids: readonly number[],
): Promise<{ id: number; role: number }[]> {
  tx.lockRecord.add(locks.accounts, ids)
  const { rows } = await tx.query<{ id: number; role: number }>(
    `select id, role
       from accounts
      where id = any ($1::int[])
        and realm_id = $2
        and not is_bot
      order by id
        for share`,
    [ids, realmId],
  )
  return rows
}

/** A guest, and a user that the guest sees. */
export interface VisibilityRow {
  readonly guestId: number
  readonly visibleUserId: number
}

const VISIBILITY_COLUMNS = 'guest_id as "guestId", visible_user_id as "visibleUserId"'

/** Makes all the users visible to all the guests. Returns new pairs. */
export async function insertVisibility(
  tx: Queryable,
  guestIds: readonly number[],
  visibleUserIds: readonly number[],
): Promise<VisibilityRow[]> {
  const { rows } = await tx.query<VisibilityRow>(
    `insert into guest_visibility (guest_id, visible_user_id)
     select guest_id, visible_user_id
       from unnest($1::int[]) as guest (guest_id), unnest($2::int[]) as visible (visible_user_id)
      where guest_id <> visible_user_id
         on conflict do nothing
     returning ${VISIBILITY_COLUMNS}`,
    [guestIds, visibleUserIds],
  )
  return rows
}

/** Makes users invisible to a guest. Returns removed pairs. */
export async function deleteVisibility(
  tx: Queryable,
  guestId: number,
  visibleUserIds: readonly number[],
): Promise<VisibilityRow[]> {
  const { rows } = await tx.query<VisibilityRow>(
    `delete from guest_visibility where guest_id = $1 and visible_user_id = any ($2::int[]) returning ${VISIBILITY_COLUMNS}`,
    [guestId, visibleUserIds],
  )
  return rows
}

/** Users that a guest sees, by ID. */
export async function listVisibleUserIds(tx: Queryable, guestId: number): Promise<number[]> {
  const { rows } = await tx.query<VisibilityRow>(
    `select ${VISIBILITY_COLUMNS} from guest_visibility where guest_id = $1 order by visible_user_id`,
    [guestId],
  )
  return rows.map(({ visibleUserId }) => visibleUserId)
}

export async function deleteAllVisibility(tx: Queryable, realmId: number): Promise<void> {
  await tx.query(
    'delete from guest_visibility using accounts where accounts.id = guest_id and accounts.realm_id = $1',
    [realmId],
  )
}
