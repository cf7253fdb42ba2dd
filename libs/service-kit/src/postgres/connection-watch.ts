import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { DatabaseHost } from '../addresses/database-url.ts'
import { within } from '../concurrency/within.ts'
import type { Logger } from '../telemetry/log.ts'
import type { DatabaseAccess } from './connection.ts'
import type { DatabaseClient } from './database-client.ts'
import { cutOff } from './host-finder.ts'
import { listWorkingSessions } from './session.queries.ts'

/**
 * Drops connections whose server is lost. If one waits too long for an answer, the server is queried over another
 * connection. If it still works for the session, the statement may go on, even for hours. If it doesn't know the
 * session (another server was promoted under its name) or doesn't answer either, the connection is dropped.
 */
export class ConnectionWatch {
  readonly #access: DatabaseAccess
  readonly #log: Logger | null
  readonly #clients = new Set<DatabaseClient>()
  /** Connections that are checked out of a pool, and since when. */
  readonly #checkedOut = new Map<DatabaseClient, number>()
  readonly #timer: NodeJS.Timeout
  #isChecking = false

  constructor(access: DatabaseAccess, log: Logger | null) {
    this.#access = access
    this.#log = log
    this.#timer = setInterval(() => this.#check(), access.bounds.checkEveryMs).unref()
  }

  add(client: DatabaseClient): void {
    this.#clients.add(client)
    client.once('end', () => {
      this.#clients.delete(client)
      this.#checkedOut.delete(client)
    })
  }

  /** Called when a connection is checked out; its user may only listen for notifications. */
  take(client: DatabaseClient): void {
    this.#checkedOut.set(client, performance.now())
  }

  release(client: DatabaseClient): void {
    this.#checkedOut.delete(client)
  }

  /** Drops idle connections that have received nothing since then. */
  dropIdle(silentSince: number, reason: string): void {
    for (const client of this.#clients)
      if (!this.#checkedOut.has(client) && client.busySince === null && client.lastReceivedAt <= silentSince)
        client.drop(reason)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    try {
      this.#pingUnused()
      await this.#dropLost()
    } finally {
      this.#isChecking = false
    }
  }

  /** A connection that only listens sends nothing, so without a ping it would never notice a lost server. */
  #pingUnused(): void {
    const since = performance.now() - this.#access.bounds.pingAfterMs
    for (const [client, checkedOutAt] of this.#checkedOut) {
      const isInUse = client.busySince !== null || client.getTransactionStatus() !== 'I'
      if (isInUse || Math.max(checkedOutAt, client.lastReceivedAt) > since) continue
      client.query('select 1').catch(() => {})
    }
  }

  async #dropLost(): Promise<void> {
    const { silenceMs, graceMs } = this.#access.bounds
    if (this.#silentFor(silenceMs).length === 0) return
    // Data that arrived while this process was blocked is read first.
    await nextTurn()
    const silent = this.#silentFor(silenceMs)
    if (silent.length === 0) return
    const working = await this.#findWorking(silent)
    for (const client of silent)
      if (working.has(client.sessionName)) client.lastReceivedAt = performance.now()
    await sleep(graceMs)
    const lost = this.#silentFor(silenceMs).filter((client) => silent.includes(client))
    if (lost.length === 0) return
    const silentSince = Math.min(...lost.map(({ busySince }) => busySince ?? Number.POSITIVE_INFINITY))
    const reason = 'PostgreSQL has gone silent, the connection is dropped'
    this.#log?.warn({ connections: lost.length }, 'postgres has gone silent, connections are dropped')
    for (const client of lost) client.drop(reason)
    this.dropIdle(silentSince, reason)
  }

  #silentFor(ms: number): DatabaseClient[] {
    const since = performance.now() - ms
    return [...this.#clients].filter((client) => client.isSilentSince(since))
  }

  /** The session names of the connections that their server still works for. */
  async #findWorking(silent: readonly DatabaseClient[]): Promise<ReadonlySet<string>> {
    const hosts = new Map(silent.map(({ host, port }) => [`${host} ${port}`, { host, port }]))
    const names = silent.map(({ sessionName }) => sessionName)
    const found = await Promise.all([...hosts.values()].map((host) => this.#listWorkingAt(host, names)))
    return new Set(found.flat())
  }

  async #listWorkingAt(host: DatabaseHost, names: readonly string[]): Promise<string[]> {
    const { bounds, config } = this.#access
    const client = new pg.Client({ ...config, connectionTimeoutMillis: bounds.serverTimeoutMs })
    client.on('error', () => {})
    Object.assign(client, host)
    try {
      const answer = client.connect().then(() => listWorkingSessions(client, names))
      return await within(bounds.serverTimeoutMs, 'no answer in time', answer)
    } catch (err) {
      this.#log?.debug({ err }, 'postgres does not report its sessions')
      return []
    } finally {
      cutOff(client)
    }
  }
}
