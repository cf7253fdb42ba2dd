import type { Queryable } from '../postgres/transaction.ts'

/** A projection table of another service's records, and how to query their owner. */
export interface ProjectionSpec<F = never> {
  readonly kind: string
  readonly table: string
  readonly key: string
  /** Columns that are taken from the record, `version` among them. */
  readonly columns: readonly string[]
  /** Columns that are set only when a row is inserted. */
  readonly columnsOfNew?: readonly string[]
  /** The record's ID in a published projection, if that is of this kind. */
  readonly idIn: (projection: Readonly<Record<string, unknown>>) => unknown
  readonly idOf: (projection: F) => number
  /** Values of all these columns and of the key. */
  readonly rowOf: (projection: F) => Readonly<Record<string, unknown>>
  /** A page of the owner's records in the order of IDs; one shorter than `limit` is the last. */
  readonly list: (afterId: number, limit: number) => Promise<readonly F[]>
  /** The owner's records with these IDs; those that don't exist are left out. */
  readonly find: (ids: readonly number[]) => Promise<readonly F[]>
}

/** Erases the record type, so that specs of different kinds fit in one list. */
export const projectionSpec = <F>(spec: ProjectionSpec<F>): ProjectionSpec =>
  spec as unknown as ProjectionSpec

/**
 * Repairs rows that differ from the owner's records, and returns how many it changed. Differing records are fetched
 * again after their row's version was read, and replaced only if that version is still the same. So newer changes
 * that were applied meanwhile stay, even if the owner's versions are lower than the stored ones, as after a restored
 * backup.
 */
export async function repairProjection(
  db: Queryable,
  spec: ProjectionSpec,
  records: readonly never[],
): Promise<number> {
  const differing = await listDiffering(db, spec, records)
  if (differing.length === 0) return 0
  const { table, key } = spec
  const current = await spec.find(differing.map(({ id }) => id))
  const columns = [...spec.columns, ...(spec.columnsOfNew ?? [])]
  const { rows } = await db.query<{ repaired: number }>(
    `with source as (
       select source.*, before.version as version_before
         from jsonb_populate_recordset(null::${table}, $1) as source
         join unnest($2::bigint[], $3::bigint[]) as before (id, version) on before.id = source.${key}
     ), updated as (
       update ${table} as stored
          set (${spec.columns.join(', ')}) = row (${qualified('source', spec.columns)})
         from source
        where stored.${key} = source.${key}
          and stored.version = source.version_before
       returning 1
     ), inserted as (
       insert into ${table} (${[key, ...columns].join(', ')})
       select ${qualified('source', [key, ...columns])}
         from source
        where version_before is null
           on conflict do nothing
       returning 1
     )
     select (select count(*) from updated) + (select count(*) from inserted) as repaired`,
    [
      JSON.stringify(current.map(spec.rowOf)),
      differing.map(({ id }) => id),
      differing.map(({ version }) => version),
    ],
  )
  return rows[0]?.repaired ?? 0
}

/**
 * Rows that differ from the owner's records, with the version that each has; null if the row is missing. A row that
 * is behind only by its version is correct: many changes at an owner are never published, such as a new password.
 */
async function listDiffering(
  db: Queryable,
  { table, key, columns, rowOf }: ProjectionSpec,
  records: readonly never[],
): Promise<{ id: number; version: number | null }[]> {
  const { rows } = await db.query<{ id: number; version: number | null }>(
    `select source.${key} as id, stored.version
       from jsonb_populate_recordset(null::${table}, $1) as source
       left join ${table} as stored on stored.${key} = source.${key}
      where stored.version is null
         or stored.version > source.version
         or (${contents('stored', columns)}) is distinct from (${contents('source', columns)})`,
    [JSON.stringify(records.map(rowOf))],
  )
  return rows
}

/** The compared columns: all but the version, which the projection document repeats. */
const contents = (table: string, columns: readonly string[]): string =>
  columns
    .filter((column) => column !== 'version')
    .map((column) => (column === 'projection' ? `${table}.projection - 'version'` : `${table}.${column}`))
    .join(', ')

const qualified = (table: string, columns: readonly string[]): string =>
  columns.map((column) => `${table}.${column}`).join(', ')
