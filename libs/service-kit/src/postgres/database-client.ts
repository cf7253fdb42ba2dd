import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { END_MS } from './bounds.ts'
import type { DatabaseAccess } from './connection.ts'
import { DatabaseUnavailableError, isReadOnlyFailure, isUnavailableFailure } from './unavailable.ts'

/** What a pool makes its clients of. */
export type DatabaseClientConfig = pg.ClientConfig & { readonly access: DatabaseAccess }

type Connected = (err?: Error | null) => void

/** A connection of which one knows whether it waits for the server, and since when; it goes to the server that will do. */
export class DatabaseClient extends pg.Client {
  /** By which the server knows the session. */
  readonly sessionName: string
  /** Since when it waits for the end of a statement; null: it doesn't. */
  busySince: number | null = null
  /** When the server last said something, here or of this session. */
  heardAt = performance.now()
  /** Its server goes, or doesn't write: it isn't to be used again. */
  isUnfit = false
  /** The first word that its server doesn't write. */
  onReadOnly: () => void = () => {}
  /** Out of sight of whoever logs a client: it has the password. */
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
    // Whoever opens it listens from then on; what is lost as soon as it is open would end the process.
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

  /** Waits for the server, which has been silent since `time`. */
  isSilentSince(time: number): boolean {
    return this.busySince !== null && Math.max(this.busySince, this.heardAt) <= time
  }

  /** Its server doesn't write: not to be used again, nor its host without another look. */
  refuse(): void {
    this.isUnfit = true
    this.#access.finder.forget()
    this.onReadOnly()
  }

  /** Ends it at once: nothing more is expected of the server. */
  drop(reason: string): void {
    this.#access.finder.forget()
    this.connection.stream.destroy(new DatabaseUnavailableError(reason))
  }

  #connect(connect: () => Promise<unknown>, done?: Connected): Promise<void> | void {
    const connected = this.#open(connect)
    if (!done) return connected
    // Whatever the callback throws is not for this promise.
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
      this.heardAt = performance.now()
      this.connection.stream.on('data', () => {
        this.heardAt = performance.now()
      })
      await finder.check(this)
    } catch (err) {
      finder.forget()
      this.end().catch(() => {})
      throw err
    }
  }

  /** A server that is gone doesn't take leave, for which the client would wait as long as TCP does. */
  #cutOffLater(): void {
    if (this.#isEnding) return
    this.#isEnding = true
    const { stream } = this.connection
    setTimeout(() => stream.destroy(), END_MS).unref()
  }
}
