import type { Queryable, Tx } from '@tms/service-kit'

/** Schedules blobs for deletion at a time, unless that is cancelled before. */
export async function scheduleBlobDeletion(
  db: Queryable,
  names: readonly string[],
  deleteAfter: Date,
): Promise<void> {
  await db.query(
    `insert into blobs_to_delete (name, delete_after)
     select name, $2
       from unnest($1::text[]) as listed (name)
         on conflict (name) do update
        set delete_after = excluded.delete_after`,
    [names, deleteAfter],
  )
}

/** Moves the deletion of a blob forward. Does nothing if the deletion was cancelled. */
export async function hastenBlobDeletion(db: Queryable, name: string, deleteAfter: Date): Promise<void> {
  await db.query(
    `update blobs_to_delete
        set delete_after = $2
      where name = $1`,
    [name, deleteAfter],
  )
}

/** Cancels the deletion that was scheduled for that time; false if the blob is already being deleted. */
export async function cancelBlobDeletion(tx: Tx, name: string, deleteAfter: Date): Promise<boolean> {
  const { rows } = await tx.query(
    `delete from blobs_to_delete
      where name = $1
        and delete_after = $2
     returning name`,
    [name, deleteAfter],
  )
  return rows.length > 0
}

/**
 * Leases blobs that are due for so many seconds; they are returned again afterwards, unless they are removed. Two
 * replicas never lease the same blob at once.
 */
export async function claimBlobsToDelete(
  db: Queryable,
  limit: number,
  leaseSeconds: number,
): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `with due as (
       select name
         from blobs_to_delete
        where delete_after <= now()
        order by delete_after
        limit $1
          for update skip locked
     )
     update blobs_to_delete
        set delete_after = now() + make_interval(secs => $2)
       from due
      where blobs_to_delete.name = due.name
     returning blobs_to_delete.name`,
    [limit, leaseSeconds],
  )
  return rows.map(({ name }) => name)
}

/** Removes blobs that were deleted. */
export async function removeDeletedBlobs(db: Queryable, names: readonly string[]): Promise<void> {
  await db.query('delete from blobs_to_delete where name = any($1::text[])', [names])
}
