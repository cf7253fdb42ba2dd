import { leaveUnannounced } from '../cache-lease/recent-changes.queries.ts'
import type { Pool } from '../postgres/pool.ts'
import { type Queryable, transact } from '../postgres/transaction.ts'
import type { DeletionStep } from './run-deletion.ts'

/** Rows of one transaction: few enough that others hardly wait for what it locks, many enough that a million take minutes. */
export const DELETION_BATCH = 1_000

/**
 * A step that deletes rows of a table. In the condition, `$1` is the organization's ID. Caches of other services needn't
 * know: nobody can use the organization.
 */
export function deleteRows(table: string, condition: string): DeletionStep<{ readonly db: Pool }> {
  return ({ db }, realmId) =>
    transact(db, async (tx) => {
      await leaveUnannounced(tx)
      return deleteBatch(tx, table, condition, realmId)
    })
}

/** Deletes at most `DELETION_BATCH` rows of a table and returns how many; `$1` in the condition is `value`. */
export async function deleteBatch(
  tx: Queryable,
  table: string,
  condition: string,
  value: number | readonly number[],
): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `with deleted as (
       delete from ${table}
        where ctid = any (array(select ctid from ${table} where ${condition} limit $2))
       returning 1
     )
     select count(*)::int as count from deleted`,
    [value, DELETION_BATCH],
  )
  return rows[0]?.count ?? 0
}
