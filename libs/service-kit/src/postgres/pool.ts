import pg from 'pg'
import type { Logger } from '../log.ts'
import type { ClientTls } from '../tls/settings.ts'
import { inSpan, isTracing } from '../tracing/tracer.ts'
import { postgresConnection } from './connection.ts'

export type Pool = pg.Pool

/** What runs SQL: a pool, a client or a transaction. */
export interface Queryable {
  query<Row>(
    sql: string | { name: string; text: string; values?: unknown[] },
    values?: unknown[],
  ): Promise<{ rows: Row[] }>
}

declare const transactionBrand: unique symbol
/** A connection inside a transaction; only `inTransaction` and its siblings make one, so the type is the proof. */
export interface Tx extends Queryable {
  readonly [transactionBrand]: true
}

/** A request that waits longer for a connection is refused with 503 rather than piling up. */
const CONNECT_TIMEOUT_MS = 5_000

// IDs are bigint columns; all of them stay below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** A connection pool with JIT off: it costs these short, set-based statements far more than it gives. */
export function createPool(url: string, max: number, log: Logger, tls: ClientTls = {}): Pool {
  const pool = new pg.Pool({
    ...postgresConnection(url, tls),
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: '-c jit=off',
    keepAlive: true,
  })
  // Unheard, a lost connection would end the process: an idle one, and one that is taken but has no query under way just then.
  pool.on('error', (err) => log.warn({ err }, 'idle postgres connection lost'))
  pool.on('connect', (client) => {
    client.on('error', (err) => log.debug({ err }, 'postgres connection lost'))
  })
  return pool
}

type Begin = 'begin' | 'begin isolation level repeatable read read only'

/** Runs `work` in one transaction on one connection; commits what returns and rolls back what throws. */
export function inTransaction<T>(
  pool: Pool,
  work: (tx: Tx) => Promise<T>,
  begin: Begin = 'begin',
): Promise<T> {
  if (!isTracing()) return transact(pool, work, begin)
  const attributes = { 'db.system.name': 'postgresql' }
  return inSpan('transaction', { attributes }, () => transact(pool, work, begin))
}

async function transact<T>(pool: Pool, work: (tx: Tx) => Promise<T>, begin: Begin): Promise<T> {
  const client = await pool.connect()
  let failure: unknown
  try {
    await client.query(begin)
    const result = await work(client as unknown as Tx)
    await client.query('commit')
    return result
  } catch (err) {
    failure = err
    await client.query('rollback').catch(() => {})
    throw err
  } finally {
    // A connection that died under us must not go back into the pool.
    client.release(failure instanceof Error && isConnectionLoss(failure) ? failure : undefined)
  }
}

/**
 * Runs `read` in one repeatable-read transaction and returns its result with the transaction's snapshot:
 * the transactions that the result shows are exactly those visible in it.
 */
export function readWithSnapshot<T>(
  pool: Pool,
  read: (tx: Tx) => Promise<T>,
): Promise<{ snapshot: string; result: T }> {
  return inTransaction(
    pool,
    async (tx) => {
      const { rows } = await tx.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot')
      const snapshot = rows[0]?.snapshot ?? ''
      return { snapshot, result: await read(tx) }
    },
    'begin isolation level repeatable read read only',
  )
}

function isConnectionLoss(err: Error): boolean {
  const { code } = err as { code?: unknown }
  if (typeof code !== 'string') return /Connection terminated/.test(err.message)
  return code.startsWith('57P0') || code.startsWith('08') || code === 'ECONNRESET' || code === 'EPIPE'
}

/** Whether PostgreSQL refused a row because another has the same values in the unique index of this name. */
export function isUniqueViolation(err: unknown, index: string): boolean {
  const { code, constraint } = (err ?? {}) as { code?: unknown; constraint?: unknown }
  return code === '23505' && constraint === index
}

/** Whether PostgreSQL ended a statement that was under way: it took longer than it may. */
export function isCancelled(err: unknown): boolean {
  return ((err ?? {}) as { code?: unknown }).code === '57014'
}
