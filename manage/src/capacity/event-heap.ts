/** Work by the time at which it is due, the earliest first; what is due at once comes in the order in which it was added. */
export class EventHeap {
  readonly #times: number[] = []
  readonly #works: (() => void)[] = []
  readonly #numbers: number[] = []
  #added = 0

  add(at: number, work: () => void): void {
    let child = this.#times.length
    this.#place(child, at, this.#added++, work)
    while (child > 0) {
      const parent = (child - 1) >> 1
      if (!this.#isBefore(child, parent)) return
      this.#swap(child, parent)
      child = parent
    }
  }

  /** Runs the next work, and returns when it was due; null if there is none before `until`. */
  runNext(until: number): number | null {
    const [at] = this.#times
    if (at === undefined || at >= until) return null
    const work = this.#works[0] as () => void
    const last = this.#times.length - 1
    this.#swap(0, last)
    this.#times.pop()
    this.#works.pop()
    this.#numbers.pop()
    this.#sink(last)
    work()
    return at
  }

  #sink(length: number): void {
    let parent = 0
    for (;;) {
      let first = parent
      for (const child of [2 * parent + 1, 2 * parent + 2])
        if (child < length && this.#isBefore(child, first)) first = child
      if (first === parent) return
      this.#swap(first, parent)
      parent = first
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [timeA = 0, timeB = 0] = [this.#times[a], this.#times[b]]
    return timeA < timeB || (timeA === timeB && (this.#numbers[a] ?? 0) < (this.#numbers[b] ?? 0))
  }

  #place(index: number, at: number, number: number, work: () => void): void {
    this.#times[index] = at
    this.#numbers[index] = number
    this.#works[index] = work
  }

  #swap(a: number, b: number): void {
    const [time = 0, number = 0, work = () => {}] = [this.#times[a], this.#numbers[a], this.#works[a]]
    this.#place(a, this.#times[b] ?? 0, this.#numbers[b] ?? 0, this.#works[b] ?? work)
    this.#place(b, time, number, work)
  }
}
