/** Of an operation that takes none. */
export type NoParameters = Readonly<Record<string, never>>

/** How one call is made; each of these goes before what `createClient` was told. */
export interface CallOptions {
  /** Ends the call, whose promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** How long one attempt may take; of one that gives a file, until the file begins. */
  readonly timeoutMs?: number | undefined
  /** How often it is tried again; 0 is never. */
  readonly retries?: number | undefined
  /**
   * Names this request where the operation takes an `Idempotency-Key`: with the same one it happens once, however often
   * it is sent. By default each call has its own, so that trying again is safe.
   */
  readonly idempotencyKey?: string | undefined
}

/** Whom to talk with, as whom. */
export interface ClientOptions {
  /** Of the organization, such as `https://chat.example.com`. */
  readonly url: string
  /** The account's API e-mail, together with its key. Without both only what needs no credentials can be called. */
  readonly email?: string | undefined
  readonly apiKey?: string | undefined
  /** How long one attempt may take: 30,000 by default. Files take as long as they take, and what is held for news longer. */
  readonly timeoutMs?: number | undefined
  /**
   * How often a call is tried again that was refused for its rate, or that failed for want of an answer and does no harm
   * when it happens twice: 3 by default, 0 is never.
   */
  readonly retries?: number | undefined
  /** Waiting longer than this, in milliseconds, before trying again is the caller's affair: 60,000 by default. */
  readonly maxWaitMs?: number | undefined
  /** Sent with every request, for example `user-agent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** In place of the platform's own: for proxies and tests. */
  readonly fetch?: typeof fetch | undefined
}
