import type { InternalClient } from '../internal-calls/internal-client.ts'
import type { Pool } from '../postgres/pool.ts'
import { applyInOwnTransaction } from './apply-records.ts'
import type { OwnedRecord, Projection } from './define-projection.ts'
import { listStored } from './record.queries.ts'

/**
 * Records by ID: those that are stored here, and the others from their owner, whose answer is applied. Those that don't
 * exist are left out. Throws SERVICE_UNAVAILABLE if the owner is needed and doesn't answer.
 */
export async function readThrough<R extends OwnedRecord>(
  { db, call }: { readonly db: Pool; readonly call: InternalClient },
  projection: Projection<R>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, R>> {
  const found = new Map<number, R>()
  const add = (records: readonly R[]) => {
    for (const record of records) found.set(projection.idOf(record), record)
  }
  if (ids.length === 0) return found
  add(await listStored(db, projection, ids))
  const missing = ids.filter((id) => !found.has(id))
  if (missing.length === 0) return found
  const returned = await projection.load.find(call, missing)
  await applyInOwnTransaction(db, projection, returned)
  add(returned)
  return found
}
