import type { Queryable, Tx } from './pool.ts'

/** The part of a Prisma transaction client that the outbox needs. */
interface RawClient {
  $queryRawUnsafe<T>(sql: string, ...values: unknown[]): Promise<T>
}

/**
 * A Prisma client's transaction as the kit's `Tx`, on the same connection, so that an event and its change commit
 * together. Pass only the client that `$transaction` provides.
 */
export function asTx(client: RawClient): Tx {
  const query: Queryable['query'] = async <Row>(
    sql: string | { text: string; values?: unknown[] },
    values?: unknown[],
  ) => {
    const text = typeof sql === 'string' ? sql : sql.text
    const parameters = typeof sql === 'string' ? (values ?? []) : (sql.values ?? [])
    // Prisma's raw query also runs statements that return nothing.
    return { rows: await client.$queryRawUnsafe<Row[]>(text, ...parameters) }
  }
  return { query } as Tx
}
