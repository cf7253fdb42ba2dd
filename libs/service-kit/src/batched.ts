/**
 * Gives whoever asks the outcome of an attempt that began after they asked: one that runs may have missed what they wait for. All
 * who ask during an attempt share the next.
 */
export class Batched<T> {
  readonly #attempt: () => Promise<T>
  #running: Promise<T> | undefined
  #next: Promise<T> | undefined

  constructor(attempt: () => Promise<T>) {
    this.#attempt = attempt
  }

  run(): Promise<T> {
    if (!this.#running) return this.#start()
    const start = () => this.#start()
    this.#next ??= this.#running.then(start, start)
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

  /** Resolves once no attempt runs. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running.catch(() => {})
  }
}
