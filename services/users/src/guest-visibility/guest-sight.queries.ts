import type { Queryable } from '@tms/service-kit'

/**
 * Whom a guest sees besides themselves and bots; null where that isn't limited. It is limited as soon as the organization says
 * so: until messaging has told whom they see, guests see nobody else.
 */
export async function findSeenIds(
  db: Queryable,
  realmId: number,
  guestId: number,
): Promise<readonly number[] | null> {
  const { rows } = await db.query<{ seenIds: number[] }>({
    name: 'seen-ids-of-guest',
    text: `
      select coalesce((select json_agg(seen_id order by seen_id) from guest_visibility where guest_id = $2), '[]')
               as "seenIds"
        from known_realms
       where realm_id = $1
         and projection ->> 'can_access_all_users_group' <> 'role:everyone'`,
    values: [realmId, guestId],
  })
  return rows[0]?.seenIds ?? null
}

/** Whether guests of an organization see only some people. Needs a lock of addresses' sight to stay so. */
export async function isGuestVisibilityRestricted(tx: Queryable, realmId: number): Promise<boolean> {
  const { rows } = await tx.query<{ isLimited: boolean }>(
    'select is_limited as "isLimited" from guest_visibility_policies where realm_id = $1',
    [realmId],
  )
  return rows[0]?.isLimited ?? false
}

/**
 * Takes the next change that messaging tells of an organization, whose others wait until the transaction ends. False
 * for one that was taken already.
 */
export async function claimChange(tx: Queryable, realmId: number, number: number): Promise<boolean> {
  const { rows } = await tx.query(
    `insert into guest_visibility_policies (realm_id, taken)
     values ($1, $2)
         on conflict (realm_id) do update
        set taken = excluded.taken
      where guest_visibility_policies.taken < excluded.taken
     returning realm_id`,
    [realmId, number],
  )
  return rows.length > 0
}

/** Begins or ceases to limit the sight of an organization's guests; false if that is so already. */
export async function saveIsLimited(tx: Queryable, realmId: number, isLimited: boolean): Promise<boolean> {
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

/** The guests of an organization, by ID. */
export async function listGuestIds(tx: Queryable, realmId: number, guestRole: number): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(
    'select id from accounts where realm_id = $1 and role = $2 order by id',
    [realmId, guestRole],
  )
  return rows.map(({ id }) => id)
}

/**
 * Keeps accounts as they are until the transaction ends, so that what is told of them has a definite place among
 * their changes. In the order of their IDs, so that two such locks never wait for each other. Bots are left out, and
 * accounts of other organizations.
 */
export async function lockPeople(
  tx: Queryable,
  realmId: number,
  ids: readonly number[],
): Promise<{ id: number; role: number }[]> {
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

/** A guest, and someone whom that guest sees. */
export interface VisibilityRow {
  readonly guestId: number
  readonly seenId: number
}

const ROW = 'guest_id as "guestId", seen_id as "seenId"'

/** Each of the guests sees each of the people from now on. Returns what is new. */
export async function insertVisibility(
  tx: Queryable,
  guestIds: readonly number[],
  seenIds: readonly number[],
): Promise<VisibilityRow[]> {
  const { rows } = await tx.query<VisibilityRow>(
    `insert into guest_visibility (guest_id, seen_id)
     select guest_id, seen_id
       from unnest($1::int[]) as guest (guest_id), unnest($2::int[]) as person (seen_id)
      where guest_id <> seen_id
         on conflict do nothing
     returning ${ROW}`,
    [guestIds, seenIds],
  )
  return rows
}

/** A guest no longer sees these people. Returns what was there. */
export async function deleteVisibility(
  tx: Queryable,
  guestId: number,
  seenIds: readonly number[],
): Promise<VisibilityRow[]> {
  const { rows } = await tx.query<VisibilityRow>(
    `delete from guest_visibility where guest_id = $1 and seen_id = any ($2::int[]) returning ${ROW}`,
    [guestId, seenIds],
  )
  return rows
}

/** Whom a guest sees, by ID. */
export async function listSeenIds(tx: Queryable, guestId: number): Promise<number[]> {
  const { rows } = await tx.query<VisibilityRow>(
    `select ${ROW} from guest_visibility where guest_id = $1 order by seen_id`,
    [guestId],
  )
  return rows.map(({ seenId }) => seenId)
}

/** Forgets whom the guests of an organization see. */
export async function deleteAllVisibility(tx: Queryable, realmId: number): Promise<void> {
  await tx.query(
    'delete from guest_visibility using accounts where accounts.id = guest_id and accounts.realm_id = $1',
    [realmId],
  )
}
