import type { Queryable, Tx } from '@tms/service-kit'

const LOCK = `hashtextextended('import of ' || $1::bigint, 0)`

/** Lets one transaction at a time import an organization or undo that; false while another does. */
export async function tryLockImport(tx: Tx, realmId: number): Promise<boolean> {
  const { rows } = await tx.query<{ isLocked: boolean }>(
    `select pg_try_advisory_xact_lock(${LOCK}) as "isLocked"`,
    [realmId],
  )
  return rows[0]?.isLocked ?? false
}

/** The same, waiting for whoever does. */
export async function lockImport(tx: Tx, realmId: number): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${LOCK})`, [realmId])
}

/** Notes that an organization is being imported. */
export async function noteImport(tx: Tx, realmId: number): Promise<void> {
  await tx.query('insert into unopened_imports (realm_id) values ($1) on conflict do nothing', [realmId])
}

/** Forgets that an organization was being imported; false when it was not, or is open. */
export async function forgetImport(tx: Tx, realmId: number): Promise<boolean> {
  const { rows } = await tx.query('delete from unopened_imports where realm_id = $1 returning realm_id', [
    realmId,
  ])
  return rows.length > 0
}

/**
 * Takes note that organizations are open. In those that were imported, messages that were scheduled wait for nothing
 * but their time from now on, and the import can't be undone.
 */
export async function openImports(db: Queryable, realmIds: readonly number[]): Promise<void> {
  await db.query({
    name: 'open-imports',
    text: `
      with opened as (
        delete from unopened_imports
         where realm_id = any($1::bigint[])
        returning realm_id
      )
      update scheduled_messages s
         set attempt_at = to_timestamp(deliver_at)
        from opened
       where s.realm_id = opened.realm_id
         and s.attempt_at = 'infinity'
         and not s.failed`,
    values: [realmIds],
  })
}
