import type { Queryable, Tx } from '../postgres/transaction.ts'
import type { AppliedRecord, OwnedRecord, Projection } from './define-projection.ts'

/** A stored row's ID and version; null if there is no row. */
export interface StoredVersion {
  readonly id: number
  readonly version: number | null
}

/**
 * Stores the records that are newer than what is stored, or missing, and returns these. Others take no lock, so that a
 * full load doesn't disturb. Each ID may occur once.
 */
export async function storeNewer<R extends OwnedRecord>(
  tx: Tx,
  projection: Projection<R>,
  records: readonly R[],
): Promise<{ id: number; before: AppliedRecord<R>['before'] }[]> {
  const { table, key, columns, columnsOfNew, deletion } = projection
  const inserted = [key, ...columns, ...columnsOfNew]
  // A deletion may be known before its record, and older records must not undo it.
  const stored = (column: string) =>
    column === deletion?.column ? `excluded.${column} or stored.${column}` : `excluded.${column}`
  const { rows } = await tx.query<{ id: number; before: AppliedRecord<R>['before'] }>({
    name: `apply-${table}`,
    text: `
      with incoming as (
        select source.*, ${columns.includes('projection') ? 'stored.projection' : 'null::jsonb'} as before
          from jsonb_populate_recordset(null::${table}, $1) as source
          left join ${table} as stored on stored.${key} = source.${key}
         where stored.version is null
            or stored.version < source.version
      ), applied as (
        insert into ${table} as stored (${inserted.join(', ')})
        select ${inserted.join(', ')}
          from incoming
         order by ${key}
            on conflict (${key}) do update
           set (${columns.join(', ')}) = (${columns.map(stored).join(', ')})
         where excluded.version > stored.version
        returning ${key}
      )
      select ${key} as id, before
        from applied
        join incoming using (${key})`,
    values: [JSON.stringify(records.map((record) => projection.rowOf(record)))],
  })
  return rows
}

/** Those of these records that are stored, of a table that stores whole records. */
export async function listStored<R extends OwnedRecord>(
  db: Queryable,
  { table, key }: Projection<R>,
  ids: readonly number[],
): Promise<R[]> {
  const { rows } = await db.query<{ projection: R }>({
    name: `read-${table}`,
    text: `select projection from ${table} where ${key} = any ($1::bigint[])`,
    values: [ids],
  })
  return rows.map(({ projection }) => projection)
}

/** IDs of the stored records that aren't deleted. */
export async function listStoredIds(
  db: Queryable,
  { table, key, deletion }: Projection,
): Promise<readonly number[]> {
  const condition = deletion ? `where not ${deletion.column}` : ''
  const { rows } = await db.query<{ id: number }>(`select ${key} as id from ${table} ${condition}`)
  return rows.map(({ id }) => id)
}

/** Marks records as deleted, whatever version of them is stored. */
export async function markDeleted(
  db: Queryable,
  { table, key, deletion }: Projection,
  ids: readonly number[],
): Promise<void> {
  if (!deletion || ids.length === 0) return
  await db.query({
    name: `mark-deleted-${table}`,
    text: `
      update ${table}
         set ${deletion.column} = true
       where ${key} = any ($1::bigint[])
         and not ${deletion.column}`,
    values: [ids],
  })
}

/**
 * Rows that differ from the owner's records, with the version that each has; null if the row is missing. A row that
 * is behind only by its version is correct: many changes at an owner are never published, such as a new password.
 */
export async function listDiffering(
  db: Queryable,
  projection: Projection,
  records: readonly OwnedRecord[],
): Promise<StoredVersion[]> {
  const { table, key, columns } = projection
  const { rows } = await db.query<StoredVersion>(
    `select source.${key} as id, stored.version
       from jsonb_populate_recordset(null::${table}, $1) as source
       left join ${table} as stored on stored.${key} = source.${key}
      where stored.version is null
         or stored.version > source.version
         or (${contents('stored', columns)}) is distinct from (${contents('source', columns)})`,
    [JSON.stringify(records.map((record) => projection.rowOf(record)))],
  )
  return rows
}

/** The compared columns: all but the version, which the stored record repeats. */
const contents = (table: string, columns: readonly string[]): string =>
  columns
    .filter((column) => column !== 'version')
    .map((column) => (column === 'projection' ? `${table}.projection - 'version'` : `${table}.${column}`))
    .join(', ')

/** Sets rows to version −1 if they still have the compared version, so that any version of their record is newer. */
export async function resetVersions(
  tx: Tx,
  { table, key, deletion }: Projection,
  compared: readonly StoredVersion[],
): Promise<void> {
  await tx.query(
    `update ${table} as stored
        set version = -1${deletion ? `, ${deletion.column} = false` : ''}
       from unnest($1::bigint[], $2::bigint[]) as compared (id, version)
      where stored.${key} = compared.id
        and stored.version = compared.version`,
    [compared.map(({ id }) => id), compared.map(({ version }) => version)],
  )
}
