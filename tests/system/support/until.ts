/** Too small fails on a busy machine, too large keeps who waits for what never comes. */
const WAIT_MS = 60_000
const PAUSE_MS = 10

/** Resolves once the condition holds, asking again and again; rejects when that takes too long. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + WAIT_MS
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`it never came about that ${holds.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
