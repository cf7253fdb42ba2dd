import type { Queryable, Tx } from './pool.ts'

/** The part of a Prisma transaction client that the outbox needs. */
interface RawClient {
  $queryRawUnsafe<T>(sql: string, ...values: unknown[]): Promise<T>
}

/**
 * The transaction of a Prisma client as the kit's `Tx`, on the same connection, so that an event and the
 * change that it tells commit together. Call it only with the client that `$transaction` hands out.
 */
export function asTx(client: RawClient): Tx {
  const query: Queryable['query'] = async <Row>(
    sql: string | { text: string; values?: unknown[] },
    values?: unknown[],
  ) => {
    const text = typeof sql === 'string' ? sql : sql.text
    const parameters = typeof sql === 'string' ? (values ?? []) : (sql.values ?? [])
    // A statement that returns nothing is no different to Prisma's raw query.
    return { rows: await client.$queryRawUnsafe<Row[]>(text, ...parameters) }
  }
  return { query } as Tx
}
