import type { Readable } from 'node:stream'
import type { ExportScope, RecordSchema } from '@tms/contracts'
import type { Pool } from '../postgres/pool.ts'
import type { Tx } from '../postgres/transaction.ts'

/** What an export needs of a blob store. */
export interface FileStore {
  put(name: string, content: Readable, options: { contentType: string }): Promise<number>
  get(name: string): Promise<Readable | null>
  stat(name: string): Promise<{ readonly size: number } | null>
  delete(name: string): Promise<void>
  list(prefix: string): AsyncIterable<string>
}

/** How a service exports and imports its part of an organization. */
export interface ServicePart<R extends { readonly kind: string }, Context = PartContext> {
  readonly records: RecordSchema<R>
  /** Approximate number of records, for the progress: cheap rather than exact. */
  readonly countRecords: (tx: Tx, realmId: number, scope: ExportScope) => Promise<number>
  /** All records in the order of their kinds, a few at a time; the transaction is one snapshot. */
  readonly exportRecords: (tx: Tx, realmId: number, scope: ExportScope) => AsyncIterable<R>
  /** The keys of the files that belong to the export: their names in the store. */
  readonly listFiles: (tx: Tx, realmId: number, scope: ExportScope) => AsyncIterable<string>
  /**
   * Inserts the records, which come in the order of their kinds, and publishes what other services project of them.
   * IDs stay. Throws BAD_REQUEST for an ID that is taken; constraint violations of PostgreSQL become one anyway.
   */
  readonly importRecords: (
    tx: Tx,
    realmId: number,
    records: AsyncIterable<R>,
    context: Context,
  ) => Promise<unknown>
  /** Deletes everything of an organization. */
  readonly removeRecords: (tx: Tx, realmId: number) => Promise<unknown>
  /** Prefixes of the names of all of an organization's files, each ending in a slash. */
  readonly filePrefixes: (realmId: number) => readonly string[]
}

/** What the part needs of a service's context. */
export interface PartContext {
  readonly db: Pool
  readonly blobs: FileStore
}
