import type { Queryable, Tx } from '@tms/service-kit'

/** Records that an organization is being imported. */
export async function recordImport(db: Queryable, realmId: number): Promise<void> {
  await db.query('insert into pending_imports (realm_id) values ($1) on conflict do nothing', [realmId])
}

/** Whether an organization's import is running or not activated yet. */
export async function isImportPending(db: Queryable, realmId: number): Promise<boolean> {
  const { rows } = await db.query('select realm_id from pending_imports where realm_id = $1', [realmId])
  return rows.length > 0
}

/** Deletes the record of an import; false if there is none, or the organization is active. */
export async function deletePendingImport(tx: Tx, realmId: number): Promise<boolean> {
  const { rows } = await tx.query('delete from pending_imports where realm_id = $1 returning realm_id', [
    realmId,
  ])
  return rows.length > 0
}

/**
 * Activates the imports of organizations: from now on they can't be undone, and scheduled messages wait only for their
 * time.
 */
export async function activateImports(db: Queryable, realmIds: readonly number[]): Promise<void> {
  await db.query({
    name: 'activate-imports',
    text: `
      with activated as (
        delete from pending_imports
         where realm_id = any($1::bigint[])
        returning realm_id
      )
      update scheduled_messages s
         set attempt_at = to_timestamp(deliver_at)
        from activated
       where s.realm_id = activated.realm_id
         and s.attempt_at = 'infinity'
         and not s.failed`,
    values: [realmIds],
  })
}
