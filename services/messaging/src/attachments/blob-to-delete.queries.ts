import type { Queryable, Tx } from '@tms/service-kit'

/** Dooms blobs: they are deleted once that time has come, unless they are spared before. */
export async function doomBlobs(db: Queryable, names: readonly string[], deleteAfter: Date): Promise<void> {
  await db.query(
    `insert into blobs_to_delete (name, delete_after)
     select name, $2
       from unnest($1::text[]) as doomed (name)
         on conflict (name) do update
        set delete_after = excluded.delete_after`,
    [names, deleteAfter],
  )
}

/** Has a doomed blob deleted sooner; one that was spared stays. */
export async function hastenBlob(db: Queryable, name: string, deleteAfter: Date): Promise<void> {
  await db.query(
    `update blobs_to_delete
        set delete_after = $2
      where name = $1`,
    [name, deleteAfter],
  )
}

/** Lets a blob live that was doomed for that time; false when it is being deleted already. */
export async function spareBlob(tx: Tx, name: string, deleteAfter: Date): Promise<boolean> {
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
 * Takes blobs whose time has come, for so many seconds: they come again then, unless they are forgotten. Two
 * replicas never take the same at once.
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

/** Forgets blobs that are deleted. */
export async function forgetBlobs(db: Queryable, names: readonly string[]): Promise<void> {
  await db.query('delete from blobs_to_delete where name = any($1::text[])', [names])
}
