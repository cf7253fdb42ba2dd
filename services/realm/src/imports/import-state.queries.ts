import type { Tx } from '@tms/service-kit'

/** Whether an organization is being imported. */
export async function isBeingImported(tx: Tx, realmId: number): Promise<boolean> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'import-find',
    text: 'select id from realms where id = $1 and import_begun_at is not null',
    values: [realmId],
  })
  return rows.length > 0
}

/** Marks an import as finished; returns whether the organization was being imported. */
export async function endImport(tx: Tx, realmId: number): Promise<boolean> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'import-end',
    text: `
      update realms
         set import_begun_at = null
       where id = $1 and import_begun_at is not null
   returning id`,
    values: [realmId],
  })
  return rows.length > 0
}
