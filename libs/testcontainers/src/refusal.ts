import { ApiError } from '@tms/client'

/**
 * Returns the call's answer. If the API refuses the call, throws an error that says what was refused, with the
 * ApiError as its cause.
 */
export async function explainRefusal<T>(what: string, call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (err) {
    if (!(err instanceof ApiError)) throw err
    throw new Error(`${what} was refused: ${err.msg} (${err.status} ${err.code})`, { cause: err })
  }
}
