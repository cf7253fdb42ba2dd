import type { Tx } from '@tms/service-kit'

/** Rows in memory at once: messages may have 10,000 characters, and their HTML several times as many. */
const ROWS_PER_FETCH = 500

/** What a query finds, row by row, fetched a few hundred at a time. One at a time in a transaction. */
export async function* readByCursor<Row>(tx: Tx, sql: string, values: unknown[]): AsyncGenerator<Row> {
  await tx.query(`declare exported no scroll cursor for ${sql}`, values)
  while (true) {
    const { rows } = await tx.query<Row>(`fetch ${ROWS_PER_FETCH} from exported`)
    yield* rows
    if (rows.length < ROWS_PER_FETCH) break
  }
  await tx.query('close exported')
}
