/** What works off jobs in the order of their arrival, on some cores: a process, a server, or the lock of a channel. */
export class Station {
  readonly name: string
  readonly #freeAt: Float64Array
  #busySeconds = 0

  constructor(name: string, cores = 1) {
    this.name = name
    this.#freeAt = new Float64Array(cores)
  }

  /** When a job that arrives now is done, all times in seconds. Arrivals come in the order of time. */
  take(now: number, seconds: number): number {
    let core = 0
    for (let i = 1; i < this.#freeAt.length; i++)
      if ((this.#freeAt[i] ?? 0) < (this.#freeAt[core] ?? 0)) core = i
    const end = Math.max(now, this.#freeAt[core] ?? 0) + seconds
    this.#freeAt[core] = end
    this.#busySeconds += seconds
    return end
  }

  /** Of all its cores' time so far, the part that it had work for; above 1 if it falls behind. */
  usedShare(now: number): number {
    return this.#busySeconds / (now * this.#freeAt.length)
  }
}
