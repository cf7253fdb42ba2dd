import type { Pool } from '../postgres/pool.ts'
import { transact } from '../postgres/transaction.ts'
import type { Projection } from './define-projection.ts'

/**
 * Publishes what follows from stored records and wasn't published yet, each in its own transaction; `among` limits it
 * to records with these IDs. Without `onFailure` it rejects at the first failure.
 */
export async function publishConsequences(
  db: Pool,
  { consequences }: Pick<Projection, 'consequences'>,
  among: readonly number[] | null = null,
  onFailure?: (err: unknown, id: number) => void,
): Promise<void> {
  if (!consequences || among?.length === 0) return
  for (const id of await consequences.listPending(db, among)) {
    const published = transact(db, (tx) => consequences.publish(tx, id, null))
    await (onFailure ? published.catch((err: unknown) => onFailure(err, id)) : published)
  }
}

/** The same for all records of several projections. */
export async function publishAllConsequences(db: Pool, projections: readonly Projection[]): Promise<void> {
  for (const projection of projections) await publishConsequences(db, projection)
}
