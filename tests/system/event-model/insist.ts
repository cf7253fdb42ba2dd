const SETTLE_MS = 300_000
const RETRY_MS = 50

/** Does it again until it succeeds: a system that has just been struck answers late. */
export async function insist<T>(work: () => Promise<T>): Promise<T> {
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
