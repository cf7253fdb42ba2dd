import type { Pool } from './pool.ts'
import { allowPauses, createTx, type Tx } from './transaction.ts'

/** Rows in memory at a time: fewer costs round trips, more memory, since some rows are large. */
const ROWS_AT_ONCE = 500

let cursors = 0

/** The rows of a query, a few at a time, through a cursor of the transaction. Leaving early closes it. */
export async function* readRows<Row>(
  tx: Tx,
  sql: string,
  values: unknown[] = [],
  rowsAtOnce = ROWS_AT_ONCE,
): AsyncGenerator<Row> {
  const cursor = `rows_${++cursors}`
  await tx.query(`declare ${cursor} no scroll cursor for ${sql}`, values)
  let hasFailed = false
  try {
    while (true) {
      const { rows } = await tx.query<Row>(`fetch ${rowsAtOnce} from ${cursor}`)
      yield* rows
      if (rows.length < rowsAtOnce) return
    }
  } catch (err) {
    // The transaction has failed, and its end closes the cursor.
    hasFailed = true
    throw err
  } finally {
    if (!hasFailed) await tx.query(`close ${cursor}`)
  }
}

/**
 * The values of `read`, from one read-only repeatable-read transaction that lasts until the last value was taken, or
 * the consumer stops.
 */
export async function* streamSnapshot<T>(pool: Pool, read: (tx: Tx) => AsyncIterable<T>): AsyncGenerator<T> {
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    await allowPauses(client)
    yield* read(createTx(client, () => {}))
  } finally {
    // Nothing was written; a connection that fails even here must not return to the pool.
    const lost = await client.query('rollback').then(
      () => null,
      (err: Error) => err,
    )
    client.release(lost ?? undefined)
  }
}
