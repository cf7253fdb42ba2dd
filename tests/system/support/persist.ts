import { ApiError } from '@tms/test-kit'

const RETRY_MS = 100
/** How a connection fails whose other end is gone. */
const GONE = new Set<unknown>(['ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

/**
 * Does it as often as it takes, where what it asks is away or answers that it can't just now. Any other answer won't get
 * better, and is thrown.
 */
export async function persist<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (err) {
      if (!isPassing(err)) throw err
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

function isPassing(err: unknown): boolean {
  if (err instanceof ApiError) return err.answer.status >= 500
  return isAway(err)
}

/** Nobody answered: there is no connection, or no longer. */
export function isAway(err: unknown): boolean {
  return GONE.has((err as NodeJS.ErrnoException).code)
}
