import { badRequest } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'

/** Schedules the deletion of a deactivated organization, whose row is locked; a later call sets another time. */
export async function scheduleDeletion(tx: Tx, realmId: number, deleteAt: Date): Promise<void> {
  await tx.query(
    `insert into realm_deletions as existing (realm_id, delete_at)
     values ($1::int, $2::timestamptz)
         on conflict (realm_id) do update
        set delete_at = excluded.delete_at
      where existing.begun_at is null
     returning realm_id`,
    [realmId, deleteAt],
  )
}

/** Cancels a scheduled deletion. Throws BAD_REQUEST if it has begun. */
export async function cancelDeletion(tx: Tx, realmId: number): Promise<void> {
  await tx.query(
    'delete from realm_deletions where realm_id = $1::int and begun_at is null returning realm_id',
    [realmId],
  )
  const { rows } = await tx.query('select realm_id from realm_deletions where realm_id = $1::int', [realmId])
  if (rows.length > 0) throw badRequest('The organization is being deleted')
}

/** The lease of a deletion: valid only while no other replica has claimed it since. */
export interface ClaimedDeletion {
  readonly realmId: number
  readonly attempt: number
}

/** Begins the deletion whose time came first, or continues one whose lease has expired; null if there is none. */
export async function claimDeletion(db: Queryable, leaseSeconds: number): Promise<ClaimedDeletion | null> {
  const { rows } = await db.query<ClaimedDeletion>(
    `update realm_deletions
        set begun_at = coalesce(begun_at, now()),
            leased_until = now() + make_interval(secs => $1),
            attempt = attempt + 1
      where realm_id = (
              select realm_id
                from realm_deletions
               where delete_at <= now()
                 and (leased_until is null or leased_until < now())
               order by delete_at
               limit 1
                 for update skip locked
            )
     returning realm_id as "realmId", attempt`,
    [leaseSeconds],
  )
  return rows[0] ?? null
}

/** Counts what was deleted and sets the end of the lease; false if another replica has claimed the deletion. */
export async function renewDeletion(
  db: Queryable,
  { realmId, attempt }: ClaimedDeletion,
  deleted: number,
  leaseSeconds: number,
): Promise<boolean> {
  const { rows } = await db.query(
    `update realm_deletions
        set leased_until = now() + make_interval(secs => $4),
            deleted = deleted + $3
      where realm_id = $1
        and attempt = $2
     returning realm_id`,
    [realmId, attempt, deleted, leaseSeconds],
  )
  return rows.length > 0
}

/** A deletion that is scheduled or has begun. */
export interface RealmDeletion {
  readonly realmId: number
  readonly deleteAt: Date
  readonly isBegun: boolean
  readonly deleted: number
}

/** All of them, in the order of their time. */
export async function listDeletions(db: Queryable): Promise<RealmDeletion[]> {
  const { rows } = await db.query<RealmDeletion>(
    `select realm_id as "realmId", delete_at as "deleteAt", begun_at is not null as "isBegun", deleted
       from realm_deletions
      order by delete_at, realm_id`,
  )
  return rows
}

/** How long the most overdue deletion has been due, in seconds; 0 if none is. */
export async function findDeletionLag(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>(
    `select coalesce(extract(epoch from max(now() - delete_at)), 0)::float8 as seconds
       from realm_deletions
      where delete_at <= now()`,
  )
  return rows[0]?.seconds ?? 0
}
