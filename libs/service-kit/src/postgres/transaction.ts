import type pg from 'pg'
import { inSpan, isTracing } from '../telemetry/tracer.ts'
import { PAUSED_TRANSACTION_MS } from './bounds.ts'
import { LockRecord, type LockViolation } from './lock-order.ts'
import type { Pool } from './pool.ts'

/** Runs SQL: a pool, a client or a transaction. */
export interface Queryable {
  query<Row>(
    sql: string | { name: string; text: string; values?: unknown[] },
    values?: unknown[],
  ): Promise<{ rows: Row[] }>
}

/** Runs SQL that may write to the outbox: a transaction, or a pool, where a statement is a transaction of its own. */
export interface OutboxWriter extends Queryable {
  /**
   * Call after a statement that wrote to the outbox: wakes the relay, for a transaction after its commit. `publish`
   * calls it by itself.
   */
  readonly markPublished?: (() => void) | undefined
}

declare const transactionBrand: unique symbol
/** A connection inside a transaction; only `transact` and its siblings make one, so the type is the proof. */
export interface Tx extends OutboxWriter {
  readonly [transactionBrand]: true
  readonly markPublished: () => void
  /** The locks that it has taken, in their order. */
  readonly lockRecord: LockRecord
}

/** Allows long pauses in a transaction that is read, or written, at the pace of a slow peer. */
export async function allowPauses(tx: Queryable): Promise<void> {
  await tx.query(`set local idle_in_transaction_session_timeout = ${PAUSED_TRANSACTION_MS}`)
}

/** The `Tx` of a connection on which a transaction has begun; it is used only until that transaction ends. */
export function createTx(
  client: pg.PoolClient,
  markPublished: () => void,
  onLockViolation?: (violation: LockViolation) => void,
): Tx {
  const runner = client as unknown as Queryable
  const lockRecord = new LockRecord(onLockViolation)
  return { query: (sql, values) => runner.query(sql, values), markPublished, lockRecord } as Tx
}

type Begin = 'begin' | 'begin isolation level repeatable read read only'

/**
 * Runs `work` in one transaction on one connection; commits if it returns and rolls back if it throws. Wakes the relay
 * after the commit if `work` published events.
 */
export function transact<T>(pool: Pool, work: (tx: Tx) => Promise<T>, begin: Begin = 'begin'): Promise<T> {
  if (!isTracing()) return runTransaction(pool, work, begin)
  const attributes = { 'db.system.name': 'postgresql' }
  return inSpan('transaction', { attributes }, () => runTransaction(pool, work, begin))
}

async function runTransaction<T>(pool: Pool, work: (tx: Tx) => Promise<T>, begin: Begin): Promise<T> {
  const client = await pool.connect()
  let failure: Error | undefined
  let hasPublished = false
  try {
    await client.query(begin)
    const result = await work(createTx(client, () => (hasPublished = true), pool.onLockViolation))
    await client.query('commit')
    if (hasPublished) pool.markPublished?.()
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
  return transact(
    pool,
    async (tx) => {
      const { rows } = await tx.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot')
      const snapshot = rows[0]?.snapshot ?? ''
      return { snapshot, result: await read(tx) }
    },
    'begin isolation level repeatable read read only',
  )
}
