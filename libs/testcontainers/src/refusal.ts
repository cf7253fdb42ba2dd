import { ApiError } from '@tms/client'

/** The call's answer. Where the API refuses, throws an error that says what was to be done; its cause is the ApiError. */
export async function orRefusal<T>(what: string, call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (err) {
    if (!(err instanceof ApiError)) throw err
    throw new Error(`${what} was refused: ${err.msg} (${err.status} ${err.code})`, { cause: err })
  }
}
