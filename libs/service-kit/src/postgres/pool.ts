import pg from 'pg'
import type { Logger } from '../log.ts'
import type { ClientTls } from '../tls/settings.ts'
import { inSpan, isTracing } from '../tracing/tracer.ts'
import { PAUSED_TRANSACTION_MS } from './bounds.ts'
import { type AccessOptions, accessDatabase } from './connection.ts'
import { ConnectionWatch } from './connection-watch.ts'
import { DatabaseClient } from './database-client.ts'
import { DatabaseUnavailableError } from './unavailable.ts'

export type Pool = pg.Pool

/** Runs SQL: a pool, a client or a transaction. */
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

// IDs are bigint columns; all of them stay below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** A read-only server is logged once in this time, since every request meets it. */
const READ_ONLY_LOG_MS = 10_000

/** A pool whose connections detect a lost server and leave a read-only one. */
export function createPool(
  url: string,
  max: number,
  log: Logger,
  tls: ClientTls = {},
  options: Pick<AccessOptions, 'silenceSeconds' | 'name'> = {},
): Pool {
  const access = accessDatabase({ ...options, url, tls })
  const config = { ...access.config, access, max, Client: DatabaseClient as unknown as PoolClientClass }
  const pool = new pg.Pool(config)
  const watch = new ConnectionWatch(access, log)
  let mayLogAt = 0
  const onReadOnly = () => {
    const now = performance.now()
    watch.dropIdle(now, 'PostgreSQL is read-only, the connection is dropped')
    if (now < mayLogAt) return
    mayLogAt = now + READ_ONLY_LOG_MS
    log.warn('postgres is read-only: it is a standby, or another is taking over; its connections are dropped')
  }
  // Without a listener a lost connection would end the process: an idle one, or one that is checked out without a
  // running query.
  pool.on('error', (err) => {
    // The pool attaches the client to the error, with its password.
    Reflect.deleteProperty(err, 'client')
    // Dropped connections have been logged together.
    log[err instanceof DatabaseUnavailableError ? 'debug' : 'warn']({ err }, 'idle postgres connection lost')
  })
  pool.on('connect', (connected) => {
    const client = asDatabaseClient(connected)
    client.on('error', (err) => log.debug({ err }, 'postgres connection lost'))
    client.onReadOnly = onReadOnly
    watch.add(client)
  })
  pool.on('acquire', (client) => watch.take(asDatabaseClient(client)))
  pool.on('release', (_, released) => {
    const client = asDatabaseClient(released)
    watch.release(client)
    // The pool removes a client that is being ended.
    if (client.isUnfit) client.end().catch(() => {})
  })
  const end = pool.end.bind(pool)
  return Object.assign(pool, {
    end: (...args: Parameters<typeof end>) => {
      watch.stop()
      return end(...args)
    },
  })
}

/** The pool passes all of its own configuration to its clients. */
type PoolClientClass = NonNullable<pg.PoolConfig['Client']>

const asDatabaseClient = (client: pg.PoolClient): DatabaseClient => client as unknown as DatabaseClient

/** Called when a pool's connection turns out to be read-only: neither it nor the idle ones are used again. */
export function refuseConnection(client: pg.PoolClient): void {
  asDatabaseClient(client).refuse()
}

/** Allows long pauses in a transaction that is read, or written, at the pace of a slow peer. */
export async function allowPauses(tx: Queryable): Promise<void> {
  await tx.query(`set local idle_in_transaction_session_timeout = ${PAUSED_TRANSACTION_MS}`)
}

type Begin = 'begin' | 'begin isolation level repeatable read read only'

/** Runs `work` in one transaction on one connection; commits if it returns and rolls back if it throws. */
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
  let failure: Error | undefined
  try {
    await client.query(begin)
    const result = await work(client as unknown as Tx)
    await client.query('commit')
    return result
  } catch (err) {
    // A connection that can't even roll back must not return to the pool.
    await client.query('rollback').catch((lost: Error) => (failure = lost))
    throw err
  } finally {
    client.release(failure)
  }
}

/**
 * Runs `read` in one repeatable-read transaction and returns its result with the transaction's snapshot: the result
 * shows exactly the transactions visible in it.
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

/** Whether PostgreSQL refused a row because another has the same values in the unique index of this name. */
export function isUniqueViolation(err: unknown, index: string): boolean {
  const { code, constraint } = (err ?? {}) as { code?: unknown; constraint?: unknown }
  return code === '23505' && constraint === index
}

/** Whether PostgreSQL cancelled a statement because it exceeded the statement timeout. */
export function isCancelled(err: unknown): boolean {
  return ((err ?? {}) as { code?: unknown }).code === '57014'
}
