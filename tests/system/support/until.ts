/** Too small fails on a busy machine, too large keeps who waits for what never comes. */
const WAIT_MS = 60_000
/** Between questions, at first and at last: each costs several processes their time, which what is waited for needs too. */
const PAUSES_MS = { first: 10, last: 100 }
const STEADY_MS = 1_000
const LOOK_MS = 50

/** Resolves once the condition holds, asking again and again, ever less often; rejects when that takes longer than `waitMs`. */
export async function until(holds: () => Promise<boolean>, waitMs: number = WAIT_MS): Promise<void> {
  const deadline = Date.now() + waitMs
  for (let pauseMs = PAUSES_MS.first; !(await holds()); pauseMs = Math.min(PAUSES_MS.last, pauseMs * 1.5)) {
    if (Date.now() > deadline) throw new Error(`it never came about that ${holds.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** Resolves with what has been the same for a second. */
export async function untilSteady<T>(read: () => Promise<T>): Promise<T> {
  let [value, since] = [await read(), Date.now()]
  while (Date.now() - since < STEADY_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    const next = await read()
    if (JSON.stringify(next) !== JSON.stringify(value)) [value, since] = [next, Date.now()]
  }
  return value
}
