import type { InternalClient } from '../internal-calls/internal-client.ts'
import type { Pool } from '../postgres/pool.ts'
import { type Tx, transact } from '../postgres/transaction.ts'
import type { AppliedRecord, OwnedRecord, Projection } from './define-projection.ts'
import { forgetVersions, listDiffering, storeNewer } from './record.queries.ts'

/**
 * The one way of records into a projection, from any feeder: stores those that are newer, then does what follows
 * from these, and returns them.
 */
export async function applyRecords<R extends OwnedRecord>(
  tx: Tx,
  projection: Projection<R>,
  records: readonly R[],
): Promise<readonly AppliedRecord<R>[]> {
  const newest = newestById(projection, records)
  if (newest.size === 0) return []
  const stored = await storeNewer(tx, projection, [...newest.values()])
  const applied = stored.flatMap(({ id, before }) => {
    const record = newest.get(id)
    return record ? [{ record, before }] : []
  })
  if (applied.length > 0) await projection.onApplied?.(tx, applied)
  return applied
}

/** One record for each ID: the newest. */
export function newestById<R extends OwnedRecord>(
  { idOf }: Pick<Projection<R>, 'idOf'>,
  records: readonly R[],
): ReadonlyMap<number, R> {
  const newest = new Map<number, R>()
  for (const record of records) {
    const other = newest.get(idOf(record))
    if (!other || other.version < record.version) newest.set(idOf(record), record)
  }
  return newest
}

/** Applies records that were requested because they are missing here, in a transaction of their own. */
export async function learnRecords<R extends OwnedRecord>(
  db: Pool,
  projection: Projection<R>,
  records: readonly R[],
): Promise<void> {
  if (records.length > 0) await transact(db, (tx) => applyRecords(tx, projection, records))
}

/**
 * Repairs rows that differ from the owner's records, and returns how many it changed. Differing records are fetched
 * again after their row's version was read, and replace the row even if they are older, but only that version of it.
 * So newer changes that were applied meanwhile stay, even if the owner's versions are lower than the stored ones, as
 * after a restored backup.
 */
export async function repairRecords(
  db: Pool,
  call: InternalClient,
  projection: Projection,
  records: readonly OwnedRecord[],
): Promise<number> {
  const differing = await listDiffering(db, projection, records)
  if (differing.length === 0) return 0
  const current = await projection.load.find(
    call,
    differing.map(({ id }) => id),
  )
  const existing = newestById(projection, current)
  const missing = new Set(differing.filter(({ version }) => version === null).map(({ id }) => id))
  return transact(db, async (tx) => {
    await forgetVersions(
      tx,
      projection,
      differing.filter(({ id }) => existing.has(id) && !missing.has(id)),
    )
    const applied = (await applyRecords(tx, projection, current)).map(({ record }) => record)
    const restored = applied.filter((record) => missing.has(projection.idOf(record)))
    if (restored.length > 0) await projection.onRestored?.(tx, restored)
    return applied.length
  })
}
