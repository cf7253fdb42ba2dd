import type { Queryable, Tx } from '@tms/service-kit'

/** Notes that an organization is being imported. */
export async function noteImport(db: Queryable, realmId: number): Promise<void> {
  await db.query('insert into unopened_imports (realm_id) values ($1) on conflict do nothing', [realmId])
}

/** Whether an organization is being imported, or was and is not open yet. */
export async function isUnopened(db: Queryable, realmId: number): Promise<boolean> {
  const { rows } = await db.query('select realm_id from unopened_imports where realm_id = $1', [realmId])
  return rows.length > 0
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
