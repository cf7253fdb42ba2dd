import type { Queryable } from '../postgres/pool.ts'

/** A table of what a service keeps of another's facts, and how to ask their owner. */
export interface ProjectionSpec<F = never> {
  readonly kind: string
  readonly table: string
  readonly key: string
  /** Columns that follow from the facts, `version` among them. */
  readonly columns: readonly string[]
  /** Columns that only a new row gets. */
  readonly columnsOfNew?: readonly string[]
  /** What an entry's facts are about, if it is of this kind. */
  readonly idIn: (projection: Readonly<Record<string, unknown>>) => unknown
  readonly idOf: (projection: F) => number
  /** All of those columns, and the key. */
  readonly rowOf: (projection: F) => Readonly<Record<string, unknown>>
  /** A page of what the owner has, in the order of IDs; a shorter one than `limit` is the last. */
  readonly list: (afterId: number, limit: number) => Promise<readonly F[]>
  /** Those of these that the owner has. */
  readonly find: (ids: readonly number[]) => Promise<readonly F[]>
}

/** Makes kinds of facts fit in one list, whatever the facts are. */
export const projectionSpec = <F>(kept: ProjectionSpec<F>): ProjectionSpec =>
  kept as unknown as ProjectionSpec

/**
 * Puts right what differs from what the owner has, and returns how many rows that were. What differs is asked for again
 * after its version was read, and replaced only if that version is still there: so whatever a newer fact has brought
 * meanwhile stays, also where the owner's versions are lower than those kept, as after it was restored from a backup.
 */
export async function repairProjection(
  db: Queryable,
  kept: ProjectionSpec,
  told: readonly never[],
): Promise<number> {
  const differing = await listDiffering(db, kept, told)
  if (differing.length === 0) return 0
  const again = await kept.find(differing.map(({ id }) => id))
  const columns = [...kept.columns, ...(kept.columnsOfNew ?? [])]
  const { rows } = await db.query<{ mended: number }>(
    `with told as (
       select told.*, before.version as version_before
         from jsonb_populate_recordset(null::${kept.table}, $1) as told
         join unnest($2::bigint[], $3::bigint[]) as before (id, version) on before.id = told.${kept.key}
     ), replaced as (
       update ${kept.table} as kept
          set (${kept.columns.join(', ')}) = row (${from('told', kept.columns)})
         from told
        where kept.${kept.key} = told.${kept.key}
          and kept.version = told.version_before
       returning 1
     ), added as (
       insert into ${kept.table} (${[kept.key, ...columns].join(', ')})
       select ${from('told', [kept.key, ...columns])}
         from told
        where version_before is null
           on conflict do nothing
       returning 1
     )
     select (select count(*) from replaced) + (select count(*) from added) as mended`,
    [
      JSON.stringify(again.map(kept.rowOf)),
      differing.map(({ id }) => id),
      differing.map(({ version }) => version),
    ],
  )
  return rows[0]?.mended ?? 0
}

/**
 * The rows that aren't as told, and the version that each has; null for one that is missing. One that is behind by its
 * version alone is right: much that changes at an owner is told to nobody, such as a password.
 */
async function listDiffering(
  db: Queryable,
  { table, key, columns, rowOf }: ProjectionSpec,
  told: readonly never[],
): Promise<{ id: number; version: number | null }[]> {
  const { rows } = await db.query<{ id: number; version: number | null }>(
    `select told.${key} as id, kept.version
       from jsonb_populate_recordset(null::${table}, $1) as told
       left join ${table} as kept on kept.${key} = told.${key}
      where kept.version is null
         or kept.version > told.version
         or (${contents('kept', columns)}) is distinct from (${contents('told', columns)})`,
    [JSON.stringify(told.map(rowOf))],
  )
  return rows
}

/** What the columns say, but for the version, which the facts say as well. */
const contents = (table: string, columns: readonly string[]): string =>
  columns
    .filter((column) => column !== 'version')
    .map((column) => (column === 'projection' ? `${table}.projection - 'version'` : `${table}.${column}`))
    .join(', ')

const from = (table: string, columns: readonly string[]): string =>
  columns.map((column) => `${table}.${column}`).join(', ')
