import type { InternalClient } from '../internal-calls/internal-client.ts'
import type { Pool } from '../postgres/pool.ts'
import { type Tx, transact } from '../postgres/transaction.ts'
import type { AppliedRecord, OwnedRecord, Projection } from './define-projection.ts'
import { listDiffering, resetVersions, storeNewer } from './record.queries.ts'

/**
 * Stores the records that are newer, calls `onApplied` with them, and returns them. Every feeder ends here: records come
 * into a projection in no other way.
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

/** Applies records in a transaction of their own, for feeders that have none: loads, announced changes and requests. */
export async function applyInOwnTransaction<R extends OwnedRecord>(
  db: Pool,
  projection: Projection<R>,
  records: readonly R[],
): Promise<void> {
  if (records.length > 0) await transact(db, (tx) => applyRecords(tx, projection, records))
}

/**
 * Repairs rows that differ from the owner's records, and returns how many it changed:
 * 1. finds the rows that differ or are missing, with their versions;
 * 2. requests their current records from the owner;
 * 3. sets each row's version to −1, unless the version has changed since step 1;
 * 4. applies the records as any feeder does, and calls `onRestored` with those whose row was missing.
 *
 * Step 3 lets a record replace a row of a higher version, as it must after the owner was restored from a backup. A row that
 * changed since step 1 keeps its version, so a newer change stays.
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
    await resetVersions(
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
