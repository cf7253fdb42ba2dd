/** Too short fails on a busy machine; too long delays tests that wait in vain. */
const WAIT_MS = 100_000
/**
 * The first and the longest pause between checks: each check takes CPU time of several processes, which the awaited work needs
 * too.
 */
const PAUSES_MS = { first: 10, last: 100 }
const STEADY_MS = 1_000
const POLL_INTERVAL_MS = 50

/** Resolves once the condition holds, checking it with increasing pauses; rejects after `waitMs`. */
export async function until(isTrue: () => Promise<boolean>, waitMs: number = WAIT_MS): Promise<void> {
  const deadline = Date.now() + waitMs
  for (let pauseMs = PAUSES_MS.first; !(await isTrue()); pauseMs = Math.min(PAUSES_MS.last, pauseMs * 1.5)) {
    if (Date.now() > deadline) throw new Error(`timed out: ${isTrue.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** Resolves with a value that did not change for a second. */
export async function untilSteady<T>(read: () => Promise<T>): Promise<T> {
  let [value, since] = [await read(), Date.now()]
  while (Date.now() - since < STEADY_MS) {
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
    const next = await read()
    if (JSON.stringify(next) !== JSON.stringify(value)) [value, since] = [next, Date.now()]
  }
  return value
}
