import pg from 'pg'
import { type DatabaseHost, formatHost, type SessionTarget } from '../addresses/database-url.ts'
import { within } from '../concurrency/within.ts'
import { HOST_MS } from './bounds.ts'
import { findSessionLimits } from './session.queries.ts'
import { DatabaseUnavailableError } from './unavailable.ts'

/** Knows which of a URL's servers to connect to. */
export interface HostFinder {
  /**
   * The server that worked last, otherwise the first that works now; null if the URL names it differently. Rejects if
   * none works.
   */
  find(): Promise<DatabaseHost | null>
  /** Rejects if a session isn't what the URL asks for, because its server has become a standby, for example. */
  check(client: pg.ClientBase): Promise<void>
  /** Drops what is known: a connection failed, or was read-only. */
  forget(): void
}

/** All clients of a pool share one finder, so one search is enough for all of them. */
export function createHostFinder(
  hosts: readonly DatabaseHost[],
  target: SessionTarget,
  config: pg.ClientConfig,
): HostFinder {
  const [first = null, ...others] = hosts
  let known: DatabaseHost | null = null
  let search: Promise<DatabaseHost> | null = null
  const check = async (client: pg.ClientBase) => {
    if (target === 'any') return
    const { isStandby, isReadOnly } = await findSessionLimits(client)
    const unfit = isStandby ? 'a standby' : isReadOnly && target === 'read-write' ? 'read-only' : null
    if (unfit !== null) throw new DatabaseUnavailableError(`PostgreSQL is ${unfit}`, { isReadOnly: true })
  }
  const tryHost = async (host: DatabaseHost) => {
    const client = new pg.Client({ ...config, connectionTimeoutMillis: HOST_MS })
    client.on('error', () => {})
    Object.assign(client, host)
    try {
      await within(
        HOST_MS,
        'no answer in time',
        client.connect().then(() => check(client)),
      )
      return host
    } catch (err) {
      const isReadOnly = err instanceof DatabaseUnavailableError && err.isReadOnly
      const message = `${formatHost(host)}: ${err instanceof Error ? err.message : String(err)}`
      throw new DatabaseUnavailableError(message, { cause: err, isReadOnly })
    } finally {
      cutOff(client)
    }
  }
  const searchAll = async () => {
    try {
      known = await (target === 'any' ? firstInTurn(hosts, tryHost) : Promise.any(hosts.map(tryHost)))
      return known
    } catch (err) {
      const failures = (err as AggregateError).errors as DatabaseUnavailableError[]
      const reasons = failures.map(({ message }) => message).join('; ')
      const isReadOnly = failures.some((failure) => failure.isReadOnly)
      throw new DatabaseUnavailableError(`No PostgreSQL will do: ${reasons}`, { cause: err, isReadOnly })
    } finally {
      search = null
    }
  }
  return {
    find: async () => (others.length === 0 ? first : (known ?? (search ??= searchAll()))),
    check,
    forget: () => {
      known = null
    },
  }
}

async function firstInTurn(
  hosts: readonly DatabaseHost[],
  tryHost: (host: DatabaseHost) => Promise<DatabaseHost>,
): Promise<DatabaseHost> {
  const failures: unknown[] = []
  for (const host of hosts) {
    try {
      return await tryHost(host)
    } catch (err) {
      failures.push(err)
    }
  }
  throw new AggregateError(failures)
}

/** Says goodbye to a server, and doesn't wait for an answer. */
export function cutOff(client: pg.Client): void {
  client.end().catch(() => {})
  const { stream } = client.connection
  setTimeout(() => stream.destroy(), HOST_MS).unref()
}
