export interface RootCause {
  readonly message: string
  /** Of the platform, such as `ECONNREFUSED`; null where it tells none, as browsers. */
  readonly code: string | null
}

/** What went wrong in the first place: `fetch` says no more than that it failed, and has the reason as its cause. */
export function rootCauseOf(err: unknown): RootCause {
  let innermost = err
  for (let next = err; next !== undefined; next = reasonOf(next)) innermost = next
  const { message, code } = fieldsOf(innermost)
  return { message: String(message ?? innermost), code: typeof code === 'string' ? code : null }
}

/** A host with several addresses fails at each of them (`AggregateError`); the first says enough. */
function reasonOf(err: unknown): unknown {
  const { cause, errors } = fieldsOf(err)
  return Array.isArray(errors) ? errors[0] : cause
}

/** Not by `instanceof`: what fails may be of another realm than this. */
const fieldsOf = (err: unknown): Readonly<Record<string, unknown>> =>
  typeof err === 'object' && err !== null ? (err as Readonly<Record<string, unknown>>) : {}
