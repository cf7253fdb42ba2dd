import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { END_MS } from './bounds.ts'
import type { DatabaseAccess } from './connection.ts'
import { DatabaseUnavailableError, isReadOnlyFailure, isUnavailableFailure } from './unavailable.ts'

/** What a pool creates its clients with. */
export type DatabaseClientConfig = pg.ClientConfig & { readonly access: DatabaseAccess }

type Connected = (err?: Error | null) => void

/**
 * A connection that knows whether it waits for the server, and since when; it connects to the server that fits the
 * URL's target.
 */
export class DatabaseClient extends pg.Client {
  /** The session's name at the server. */
  readonly sessionName: string
  /** Since when it waits for the end of a statement; null if it doesn't. */
  busySince: number | null = null
  /** When the server was last known to be alive: data came, or it still worked for this session. */
  lastReceivedAt = performance.now()
  /** Its server shuts down, or is read-only: the connection must not be used again. */
  isUnfit = false
  /** Called when the server reports that it is read-only. */
  onReadOnly: () => void = () => {}
  /** Private, so that it isn't logged with the client: it contains the password. */
  readonly #access: DatabaseAccess
  #isEnding = false

  constructor(config: DatabaseClientConfig) {
    const { access } = config
    const sessionName = `${access.name} ${randomBytes(4).toString('hex')}`
    super({ ...config, application_name: sessionName })
    this.#access = access
    this.sessionName = sessionName
    // The base class has overloads that no override can repeat.
    const [connect, query, end] = [this.connect, this.query, this.end].map((method) =>
      (method as (...args: unknown[]) => unknown).bind(this),
    ) as [() => Promise<unknown>, (...args: unknown[]) => unknown, (...args: unknown[]) => unknown]
    Object.assign(this, {
      connect: (done?: Connected) => this.#connect(connect, done),
      query: (...args: unknown[]) => {
        this.busySince ??= performance.now()
        return query(...args)
      },
      end: (...args: unknown[]) => {
        this.#cutOffLater()
        return end(...args)
      },
    })
    // Callers add their listener after opening; a connection lost right after that would end the process.
    this.on('error', () => {})
    this.on('drain', () => {
      this.busySince = null
    })
    this.connection.on('errorMessage', (failure: { code?: unknown; message?: unknown }) => {
      if (!isUnavailableFailure(failure)) return
      this.isUnfit = true
      if (isReadOnlyFailure(failure)) this.refuse()
    })
  }

  /** Whether it waits for the server, which has been silent since `time`. */
  isSilentSince(time: number): boolean {
    return this.busySince !== null && Math.max(this.busySince, this.lastReceivedAt) <= time
  }

  /** Called when its server is read-only: the connection is not used again, and the next one searches for a host. */
  refuse(): void {
    this.isUnfit = true
    this.#access.finder.forget()
    this.onReadOnly()
  }

  /** Closes it at once; nothing more is expected of the server. */
  drop(reason: string): void {
    this.#access.finder.forget()
    this.connection.stream.destroy(new DatabaseUnavailableError(reason))
  }

  #connect(connect: () => Promise<unknown>, done?: Connected): Promise<void> | void {
    const connected = this.#open(connect)
    if (!done) return connected
    // An exception of the callback must not reject this promise.
    connected.then(
      () => setImmediate(done, null),
      (err: Error) => setImmediate(done, err),
    )
  }

  async #open(connect: () => Promise<unknown>): Promise<void> {
    const { finder } = this.#access
    try {
      const host = await finder.find()
      if (host !== null) Object.assign(this, host)
      await connect()
      this.lastReceivedAt = performance.now()
      this.connection.stream.on('data', () => {
        this.lastReceivedAt = performance.now()
      })
      await finder.check(this)
    } catch (err) {
      finder.forget()
      this.end().catch(() => {})
      throw err
    }
  }

  /** A lost server never answers the goodbye, for which the client would wait as long as TCP does. */
  #cutOffLater(): void {
    if (this.#isEnding) return
    this.#isEnding = true
    const { stream } = this.connection
    setTimeout(() => stream.destroy(), END_MS).unref()
  }
}
