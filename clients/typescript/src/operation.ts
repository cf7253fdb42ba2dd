/** How to send an operation's request, from the OpenAPI document. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** From the root, with `{name}` for each path parameter. */
  readonly path: string
  /** Parameters whose strings are sent as JSON too. Other strings are sent as they are, other types always as JSON. */
  readonly json?: readonly string[]
  /** It answers with a file, or redirects to it. */
  readonly returnsFile?: true
  /** It takes an `Idempotency-Key`. */
  readonly takesIdempotencyKey?: true
  /** The server may hold its answer for a minute or more (long polling). */
  readonly isLongPoll?: true
}
