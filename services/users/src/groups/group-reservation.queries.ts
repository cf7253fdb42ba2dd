import type { Queryable, Tx } from '@tms/service-kit'

/** The longest that permissions refuse a group because somebody began to deactivate it, and died meanwhile. */
const RESERVED_SECONDS = 30

/** When a reservation ends, as PostgreSQL writes it: so it names the reservation as well. */
export type Reservation = string & { readonly __brand: 'reservation of a group' }

/** Reserves a group for its deactivation. Null if another deactivation has. Needs the lock of groups. */
export async function reserveGroup(tx: Tx, groupId: number): Promise<Reservation | null> {
  const { rows } = await tx.query<{ reservation: Reservation }>(
    `update user_groups
        set reserved_until = clock_timestamp() + make_interval(secs => $2)
      where id = $1
        and (reserved_until is null or reserved_until < clock_timestamp())
     returning reserved_until::text as reservation`,
    [groupId, RESERVED_SECONDS],
  )
  return rows[0]?.reservation ?? null
}

/** Ends a reservation; returns whether it was there. Needs the lock of groups. */
export async function endReservation(tx: Tx, groupId: number, reservation: Reservation): Promise<boolean> {
  const { rows } = await tx.query(
    `update user_groups
        set reserved_until = null
      where id = $1
        and reserved_until = $2::timestamptz
     returning id`,
    [groupId, reservation],
  )
  return rows.length > 0
}

/** Which of these IDs are active custom groups of the organization, and whether their deactivation has begun. */
export async function listReservableGroups(
  db: Queryable,
  realmId: number,
  ids: readonly number[],
): Promise<{ id: number; isReserved: boolean; isExpired: boolean }[]> {
  const { rows } = await db.query<{ id: number; isReserved: boolean; isExpired: boolean }>({
    name: 'reservable-groups-of-realm-by-id',
    text: `
      select id,
             reserved_until is not null as "isReserved",
             coalesce(reserved_until < clock_timestamp(), false) as "isExpired"
        from user_groups
       where realm_id = $1
         and id = any ($2::int[])
         and not is_deactivated`,
    values: [realmId, ids],
  })
  return rows
}

/** Ends the reservations of these groups that have expired. Needs the lock of groups. */
export async function endExpiredReservations(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.query(
    `update user_groups
        set reserved_until = null
      where id = any ($1::int[])
        and reserved_until < clock_timestamp()`,
    [ids],
  )
}
