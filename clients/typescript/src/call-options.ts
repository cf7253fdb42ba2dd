/** Parameters of an operation that takes none. */
export type NoParameters = Readonly<Record<string, never>>

/** Options of one call. Each overrides the option of `createClient`. */
export interface CallOptions {
  /** Aborts the call, whose promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** How long one attempt may take; for a file, until its content begins. */
  readonly timeoutMs?: number | undefined
  /** How often a failed call is retried; 0 for never. */
  readonly retries?: number | undefined
  /**
   * Sent as `Idempotency-Key` by operations that take one: requests with the same key take effect once. By default each
   * call has its own key, so that retries are safe.
   */
  readonly idempotencyKey?: string | undefined
}

/** The server, the account, and defaults for calls. */
export interface ClientOptions {
  /** Base URL of the organization, such as `https://chat.example.com`. */
  readonly url: string
  /** API e-mail of the account; requires `apiKey`. Without both, only operations that need no credentials work. */
  readonly email?: string | undefined
  readonly apiKey?: string | undefined
  /** How long one attempt may take: 30,000 by default. Files have no limit, long polls a longer one. */
  readonly timeoutMs?: number | undefined
  /**
   * How often a call is retried if it hit the rate limit, or if no answer came and repeating it is safe: 3 by default, 0
   * for never.
   */
  readonly retries?: number | undefined
  /** A call whose retry would have to wait longer than this, in milliseconds, fails at once: 60,000 by default. */
  readonly maxWaitMs?: number | undefined
  /** Sent with every request, for example `user-agent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Replaces the platform's `fetch`, for proxies and tests. */
  readonly fetch?: typeof fetch | undefined
}
