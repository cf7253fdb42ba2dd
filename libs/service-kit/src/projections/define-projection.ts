import type { z } from 'zod'
import type { InternalClient } from '../internal-calls/internal-client.ts'
import type { Queryable, Tx } from '../postgres/transaction.ts'

/** A record as its owner publishes it. The one with the higher version is newer, in whatever order they arrive. */
export interface OwnedRecord {
  readonly realm_id: number
  readonly version: number
}

/** Values of a row by column. */
type Row = Readonly<Record<string, unknown>>

/** Values of columns, each from the record. */
type ColumnsOf<R> = Readonly<Record<string, (record: R) => unknown>>

/** A record that was stored because it is newer, and the record that it replaced; null if there was none. */
export interface AppliedRecord<R> {
  readonly record: R
  readonly before: R | null
}

/** A page of the owner's records; those of one organization, if the owner can list them alone. */
export interface RecordsPage {
  readonly after: number
  readonly limit: number
  readonly realmId?: number | undefined
}

/** How records are requested from their owner, page by page. Calls may take as long as a page does. */
interface PagedSource<R> {
  /** Too many take the owner longer than a call may. */
  readonly pageSize: number
  /** In the order of their IDs, after one of them. A page shorter than its limit is the last. */
  list(call: InternalClient, page: RecordsPage): Promise<readonly R[]>
  /** Those that don't exist are left out. */
  find(call: InternalClient, ids: readonly number[]): Promise<readonly R[]>
}

/** The same for an owner that lists all records at once, since they are few. */
interface WholeSource<R> extends Pick<PagedSource<R>, 'find'> {
  listAll(call: InternalClient): Promise<readonly R[]>
}

/**
 * Events to publish because of a change. They are found by comparing what is stored with what was published last, and may
 * be published after the transaction that stored the record. So none is lost, whichever feeder stored the record, and
 * publishing again does nothing. Changes of this service's own data belong in `onApplied` instead.
 */
interface Consequences {
  /** Records with unpublished consequences, among those of these IDs or all. */
  listPending(db: Queryable, among: readonly number[] | null): Promise<readonly number[]>
  publish(tx: Tx, id: number, requestId: string | null): Promise<void>
}

interface ProjectionHooks<R> {
  /** Changes this service's own data, once for each newer record, in the transaction that stores the record. */
  onApplied?(tx: Tx, applied: readonly AppliedRecord<R>[]): Promise<void>
  /** Records that were lost here and inserted by a replay: their consequences were published when they were known. */
  onRestored?(tx: Tx, records: readonly R[]): Promise<void>
  readonly consequences?: Consequences
}

interface ProjectionDeclaration<R extends OwnedRecord> extends ProjectionHooks<R> {
  /** Names the projection in replays. */
  readonly name: string
  /** The owner's contract. Wherever an event or a list of changes has a field of it, that is a record. */
  readonly record: z.ZodType<R>
  readonly table: string
  /** The table's primary key, and the field of the record. */
  readonly key: Extract<keyof R, string>
  /**
   * Columns besides the key and `version`. One that is called `projection` contains the whole record, as needed for
   * `before`.
   */
  readonly columns: ColumnsOf<R>
  /** Columns that are set only when a row is inserted. */
  readonly columnsOfNew?: ColumnsOf<R>
  /**
   * For records that are deleted: the column that says so, which no record unsets, and the field of a list of changes
   * with the IDs of deleted records.
   */
  readonly deletion?: { readonly column: string; readonly idsIn: string }
  readonly load: PagedSource<R> | WholeSource<R>
}

/** A copy of another service's records, in a table of this one. */
export interface Projection<R extends OwnedRecord = OwnedRecord> extends ProjectionHooks<R> {
  readonly name: string
  readonly record: z.ZodType
  readonly table: string
  readonly key: string
  readonly columns: readonly string[]
  readonly columnsOfNew: readonly string[]
  readonly deletion: { readonly column: string; readonly idsIn: string } | undefined
  readonly load: PagedSource<R>
  idOf(record: R): number
  rowOf(record: R): Row
}

/**
 * Declares a projection. From the declaration the kit runs everything that feeds it: events, announced changes, loads,
 * replays and reading through. Each ends in `applyRecords`, so they may come in any order.
 */
export function defineProjection<R extends OwnedRecord>(
  declaration: ProjectionDeclaration<R>,
): Projection<R> {
  const { key, columns, columnsOfNew = {}, deletion, load, ...rest } = declaration
  const values = Object.entries({ ...columns, ...columnsOfNew })
  const idOf = (record: R) => record[key] as number
  return {
    ...rest,
    key,
    deletion,
    load: 'list' in load ? load : pagedSource(load, idOf),
    idOf,
    columns: [...Object.keys(columns), 'version'],
    columnsOfNew: Object.keys(columnsOfNew),
    rowOf: (record) => ({
      [key]: record[key],
      version: record.version,
      ...Object.fromEntries(values.map(([column, valueOf]) => [column, valueOf(record)])),
    }),
  }
}

function pagedSource<R>({ listAll, find }: WholeSource<R>, idOf: (record: R) => number): PagedSource<R> {
  return {
    pageSize: Number.POSITIVE_INFINITY,
    list: async (call, { after, limit }) => {
      const later = (await listAll(call)).filter((record) => idOf(record) > after)
      return later.sort((one, other) => idOf(one) - idOf(other)).slice(0, limit)
    },
    find,
  }
}
