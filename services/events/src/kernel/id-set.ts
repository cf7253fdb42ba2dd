const NONE: readonly number[] = []

/**
 * A set of a few IDs, of which there are as many as queues: a sorted array takes less than half of the memory of a `Set`, and an
 * empty set nothing beyond the object. For thousands of IDs that change often it would be slow.
 */
export class IdSet {
  /** Ascending; replaced at each change. */
  #ids: readonly number[]

  constructor(ids: Iterable<number>) {
    const distinct = [...new Set(ids)].sort((a, b) => a - b)
    this.#ids = distinct.length === 0 ? NONE : distinct
  }

  has(id: number): boolean {
    return this.#ids[this.#placeOf(id)] === id
  }

  add(id: number): void {
    const place = this.#placeOf(id)
    if (this.#ids[place] !== id) this.#ids = this.#ids.toSpliced(place, 0, id)
  }

  delete(id: number): void {
    if (this.has(id)) this.#ids = this.#ids.length === 1 ? NONE : this.#ids.filter((other) => other !== id)
  }

  [Symbol.iterator](): Iterator<number> {
    return this.#ids[Symbol.iterator]()
  }

  /** Index of the first ID that isn't lower. */
  #placeOf(id: number): number {
    let [low, high] = [0, this.#ids.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#ids[middle] as number) < id) low = middle + 1
      else high = middle
    }
    return low
  }
}
