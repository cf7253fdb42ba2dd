/** A task that takes this long no longer keeps the next one waiting: a commit takes a few milliseconds. */
const SLOW_MS = 25

/**
 * Bounds how many tasks run at once, so that what waits meanwhile is done together. A task that takes long lets
 * another begin, up to a second bound: nothing that holds up one of them may hold up all.
 */
export class Slots {
  readonly #usual: number
  readonly #withSlow: number
  readonly #onFree: () => void
  #running = 0
  #slow = 0

  /** `onFree` is called whenever another task may begin. */
  constructor(limits: { readonly usual: number; readonly withSlow: number }, onFree: () => void) {
    this.#usual = limits.usual
    this.#withSlow = limits.withSlow
    this.#onFree = onFree
  }

  get isFree(): boolean {
    return this.#running - this.#slow < this.#usual && this.#running < this.#withSlow
  }

  /** Runs a task, which must not reject. Call it only if `isFree`. */
  run(task: () => Promise<void>): void {
    this.#running++
    let isSlow = false
    const timer = setTimeout(() => {
      isSlow = true
      this.#slow++
      this.#onFree()
    }, SLOW_MS)
    void task().then(() => {
      clearTimeout(timer)
      if (isSlow) this.#slow--
      this.#running--
      this.#onFree()
    })
  }
}
