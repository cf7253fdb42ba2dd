/**
 * Each call of `run` gets the outcome of an attempt that began after the call, because an attempt that already runs
 * may have missed the caller's change. All calls during an attempt share the next one.
 */
export class Batched<T> {
  readonly #attempt: () => Promise<T>
  #running: Promise<T> | undefined
  #next: Promise<T> | undefined

  constructor(attempt: () => Promise<T>) {
    this.#attempt = attempt
  }

  run(): Promise<T> {
    // Between the end of an attempt and the start of the next, none runs, but the next is still to come.
    if (this.#next) return this.#next
    if (!this.#running) return this.#start()
    const start = () => this.#start()
    this.#next = this.#running.then(start, start)
    return this.#next
  }

  #start(): Promise<T> {
    this.#next = undefined
    const running = this.#attempt().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }

  /** Resolves once no attempt runs or is to come. */
  async idle(): Promise<void> {
    for (let attempt = this.#last(); attempt; attempt = this.#last()) await attempt.catch(() => {})
  }

  #last(): Promise<T> | undefined {
    return this.#next ?? this.#running
  }
}
