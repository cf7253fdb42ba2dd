const SETTLE_MS = 300_000
const RETRY_MS = 50

/** Retries until it succeeds: a system responds late after a fault. */
export async function retryUntilSuccess<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + SETTLE_MS
  for (;;) {
    try {
      return await work()
    } catch (err) {
      if (Date.now() > deadline) throw err
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}
