import pg from 'pg'
import type { Logger } from '../telemetry/log.ts'
import type { ClientTls } from '../tls/settings.ts'
import { type AccessOptions, accessDatabase } from './connection.ts'
import { ConnectionWatch } from './connection-watch.ts'
import { DatabaseClient } from './database-client.ts'
import type { LockViolation } from './lock-order.ts'
import { DatabaseUnavailableError } from './unavailable.ts'

export interface Pool extends pg.Pool {
  /** Wakes the relay; see `OutboxWriter`. `openOutbox` sets it, so a pool without a relay has none. */
  markPublished?: () => void
  /** Reports a lock that a transaction took out of order; `openOutbox` sets it. */
  onLockViolation?: (violation: LockViolation) => void
}

// IDs are bigint columns; all of them stay below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * How long a connection may be idle. Too short, and each burst of requests opens connections again, which read the catalog and plan
 * their statements anew, the first five times with each statement's values: with 30 s that was half of what PostgreSQL
 * spent on notifications that came in bursts. Too long keeps the memory of connections that few need.
 */
const IDLE_MS = 300_000
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
  const config = {
    ...access.config,
    access,
    max,
    idleTimeoutMillis: IDLE_MS,
    Client: DatabaseClient as unknown as PoolClientClass,
  }
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

/** Whether PostgreSQL refused a row because another has the same values in the unique index of this name. */
export function isUniqueViolation(err: unknown, index: string): boolean {
  const { code, constraint } = (err ?? {}) as { code?: unknown; constraint?: unknown }
  return code === '23505' && constraint === index
}

/** Whether PostgreSQL cancelled a statement because it exceeded the statement timeout. */
export function isCancelled(err: unknown): boolean {
  return ((err ?? {}) as { code?: unknown }).code === '57014'
}
