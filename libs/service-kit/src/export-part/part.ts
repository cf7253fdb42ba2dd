import type { Readable } from 'node:stream'
import type { ExportScope, RecordSchema } from '@tms/contracts'
import type { Pool, Tx } from '../postgres/pool.ts'

/** What of a blob store an export's files take. */
export interface FileStore {
  put(name: string, content: Readable, options: { contentType: string }): Promise<number>
  get(name: string): Promise<Readable | null>
  stat(name: string): Promise<{ readonly size: number } | null>
  delete(name: string): Promise<void>
  list(prefix: string): AsyncIterable<string>
}

/** How a service gives and takes its part of an export. */
export interface ServicePart<R extends { readonly kind: string }, Context = PartContext> {
  readonly records: RecordSchema<R>
  /** About how many records there are, for the progress: cheap rather than exact. */
  readonly countRecords: (tx: Tx, realmId: number, scope: ExportScope) => Promise<number>
  /** All records in the order of their kinds, a few at a time; the transaction sees one moment. */
  readonly exportRecords: (tx: Tx, realmId: number, scope: ExportScope) => AsyncIterable<R>
  /** The keys of the files that go with them: their names in the store. */
  readonly listFiles: (tx: Tx, realmId: number, scope: ExportScope) => AsyncIterable<string>
  /**
   * Inserts the records, which come in the order of their kinds and each as declared, and tells the other services
   * what they keep of them. IDs stay. Throws BAD_REQUEST for one that is taken; what PostgreSQL refuses as taken is
   * told so anyway.
   */
  readonly importRecords: (
    tx: Tx,
    realmId: number,
    records: AsyncIterable<R>,
    context: Context,
  ) => Promise<unknown>
  /** Deletes whatever there is of an organization. */
  readonly removeRecords: (tx: Tx, realmId: number) => Promise<unknown>
  /** What the names of all of an organization's files begin with, each ending in a slash. */
  readonly filePrefixes: (realmId: number) => readonly string[]
}

/** What of a service's context its part takes. */
export interface PartContext {
  readonly db: Pool
  readonly blobs: FileStore
}
