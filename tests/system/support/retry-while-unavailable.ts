import { ApiError } from '@tms/test-kit'

const RETRY_MS = 100
/** Error codes of a lost connection. */
const CONNECTION_ERRORS = new Set<unknown>(['ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

/**
 * Retries while the server cannot be reached or reports that it is unavailable. Throws any other response, which would not
 * improve.
 */
export async function retryWhileUnavailable<T>(request: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await request()
    } catch (err) {
      if (!isTemporary(err)) throw err
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

function isTemporary(err: unknown): boolean {
  if (err instanceof ApiError) return err.answer.status >= 500
  return isUnavailable(err)
}

/** Whether there is no connection, or no longer. */
export function isUnavailable(err: unknown): boolean {
  return CONNECTION_ERRORS.has((err as NodeJS.ErrnoException).code)
}
