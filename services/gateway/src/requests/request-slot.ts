/** A connection of a client. */
export interface PendingRequests {
  /** Requests whose answers aren't sent yet. */
  pendingRequests: number
}

/** A request among those that clients may have at once. */
export class RequestSlot {
  readonly #connection: PendingRequests | undefined
  readonly #release: (() => void) | null

  /** `release` gives back what beside its connection counts it. */
  constructor(connection: PendingRequests | undefined, release: (() => void) | null) {
    this.#connection = connection
    this.#release = release
    if (connection) connection.pendingRequests++
  }

  /** Whether no other request of its connection waits for its answer. */
  get isOnly(): boolean {
    return this.#connection?.pendingRequests === 1
  }

  /** Call once, when its answer has ended. */
  release(): void {
    if (this.#connection) this.#connection.pendingRequests--
    this.#release?.()
  }
}
