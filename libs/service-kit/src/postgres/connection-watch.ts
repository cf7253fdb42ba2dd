import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../log.ts'
import { within } from '../within.ts'
import type { DatabaseAccess } from './connection.ts'
import type { DatabaseClient } from './database-client.ts'
import type { DatabaseHost } from './database-url.ts'
import { cutOff } from './host-finder.ts'
import { listWorkingSessions } from './session.queries.ts'

/**
 * Gives up connections whose server is gone without a word. One that waits for an answer for too long is asked after on
 * another connection: a server that still works for it may go on, be it for hours; one that knows nothing of it, being another
 * that was promoted under its name, or that doesn't answer either, isn't waited for.
 */
export class ConnectionWatch {
  readonly #access: DatabaseAccess
  readonly #log: Logger | null
  readonly #clients = new Set<DatabaseClient>()
  /** Of a pool's, those that somebody has, and since when. */
  readonly #taken = new Map<DatabaseClient, number>()
  readonly #timer: NodeJS.Timeout
  #isLooking = false

  constructor(access: DatabaseAccess, log: Logger | null) {
    this.#access = access
    this.#log = log
    this.#timer = setInterval(() => this.#look(), access.bounds.lookMs).unref()
  }

  add(client: DatabaseClient): void {
    this.#clients.add(client)
    client.once('end', () => {
      this.#clients.delete(client)
      this.#taken.delete(client)
    })
  }

  /** Somebody has it, who may listen for a word of the server. */
  take(client: DatabaseClient): void {
    this.#taken.set(client, performance.now())
  }

  release(client: DatabaseClient): void {
    this.#taken.delete(client)
  }

  /** Drops those that nobody uses and that were last heard of by then. */
  dropIdle(heardBy: number, reason: string): void {
    for (const client of this.#clients)
      if (!this.#taken.has(client) && client.busySince === null && client.heardAt <= heardBy)
        client.drop(reason)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      this.#speakToWaiting()
      await this.#giveUpLost()
    } finally {
      this.#isLooking = false
    }
  }

  /** Who listens for a word of the server sends nothing, by which a lost one would be noticed. */
  #speakToWaiting(): void {
    const since = performance.now() - this.#access.bounds.speakMs
    for (const [client, takenAt] of this.#taken) {
      const isSpokenOn = client.busySince !== null || client.getTransactionStatus() !== 'I'
      if (isSpokenOn || Math.max(takenAt, client.heardAt) > since) continue
      client.query('select 1').catch(() => {})
    }
  }

  async #giveUpLost(): Promise<void> {
    const { silenceMs, graceMs } = this.#access.bounds
    if (this.#silentFor(silenceMs).length === 0) return
    // What came while this process stood still is read first.
    await nextTurn()
    const silent = this.#silentFor(silenceMs)
    if (silent.length === 0) return
    const working = await this.#findWorking(silent)
    for (const client of silent) if (working.has(client.sessionName)) client.heardAt = performance.now()
    await sleep(graceMs)
    const lost = this.#silentFor(silenceMs).filter((client) => silent.includes(client))
    if (lost.length === 0) return
    const heardBy = Math.min(...lost.map(({ busySince }) => busySince ?? Number.POSITIVE_INFINITY))
    const reason = 'PostgreSQL has gone silent, the connection is given up'
    this.#log?.warn({ connections: lost.length }, 'postgres has gone silent, connections are given up')
    for (const client of lost) client.drop(reason)
    this.dropIdle(heardBy, reason)
  }

  #silentFor(ms: number): DatabaseClient[] {
    const since = performance.now() - ms
    return [...this.#clients].filter((client) => client.isSilentSince(since))
  }

  /** The names of those that their server still works for. */
  async #findWorking(silent: readonly DatabaseClient[]): Promise<ReadonlySet<string>> {
    const hosts = new Map(silent.map(({ host, port }) => [`${host} ${port}`, { host, port }]))
    const names = silent.map(({ sessionName }) => sessionName)
    const found = await Promise.all([...hosts.values()].map((host) => this.#askServer(host, names)))
    return new Set(found.flat())
  }

  async #askServer(host: DatabaseHost, names: readonly string[]): Promise<string[]> {
    const { bounds, config } = this.#access
    const asking = new pg.Client({ ...config, connectionTimeoutMillis: bounds.askMs })
    asking.on('error', () => {})
    Object.assign(asking, host)
    try {
      const answer = asking.connect().then(() => listWorkingSessions(asking, names))
      return await within(bounds.askMs, 'no answer in time', answer)
    } catch (err) {
      this.#log?.debug({ err }, 'postgres does not say what it works at')
      return []
    } finally {
      cutOff(asking)
    }
  }
}
