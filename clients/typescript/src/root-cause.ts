export interface RootCause {
  readonly message: string
  /** Error code of the platform, such as `ECONNREFUSED`; null if there is none, as in browsers. */
  readonly code: string | null
}

/** The innermost cause of an error: `fetch` reports only that it failed, and has the reason as its cause. */
export function findRootCause(err: unknown): RootCause {
  let innermost = err
  for (let next = err; next !== undefined; next = getCause(next)) innermost = next
  const { message, code } = getFields(innermost)
  return { message: String(message ?? innermost), code: typeof code === 'string' ? code : null }
}

/** A host with several addresses fails at each (`AggregateError`); the first error is enough. */
function getCause(err: unknown): unknown {
  const { cause, errors } = getFields(err)
  return Array.isArray(errors) ? errors[0] : cause
}

/** Avoids `instanceof`, which fails for errors of another JavaScript realm. */
const getFields = (err: unknown): Readonly<Record<string, unknown>> =>
  typeof err === 'object' && err !== null ? (err as Readonly<Record<string, unknown>>) : {}
