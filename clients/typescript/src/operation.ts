/** How an operation travels, as the OpenAPI document says. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** From the root, with `{name}` for each path parameter. */
  readonly path: string
  /** Parameters whose texts are JSON texts too; other texts go as they are, and what is no text always goes as JSON. */
  readonly json?: readonly string[]
  /** It answers with a file, or with where it is. */
  readonly givesFile?: true
  /** It takes an `Idempotency-Key`. */
  readonly isRepeatable?: true
  /** Its answer may be held for a minute or more. */
  readonly isHeld?: true
}
