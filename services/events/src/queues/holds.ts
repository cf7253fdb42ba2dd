/** Why a held poll is to be answered. */
export type Wakening =
  /** These events were committed; the queue was empty before them. */
  | { readonly kind: 'events'; readonly eventIds: readonly number[] }
  /** Something may have been missed: read the queue. */
  | { readonly kind: 'look' }
  /** No poll is to be held, or this process stops: answer with what is there, at once. */
  | { readonly kind: 'end' }
  /** A newer poll took over, and gets what is there. */
  | { readonly kind: 'replaced'; readonly isHeldHere: boolean }
  /** The client went away: there is nobody to answer. */
  | { readonly kind: 'gone' }

/** What becomes of a poll. */
interface Seats {
  take(hold: Hold): void
  leave(hold: Hold): void
}

/** One poll that waits. A class, since there are as many as there are clients. */
export class Hold {
  readonly queueId: string
  readonly deadline: number
  readonly wakening: Promise<Wakening>
  readonly #seats: Seats
  #settle: (wakening: Wakening) => void = () => {}
  #isWoken = false
  /** Null until the queue was read. */
  #number: number | null = null
  /** The newest poll that is known to have taken over; it may be told before this one's own number is. */
  #newerNumber = Number.NEGATIVE_INFINITY

  constructor(queueId: string, deadline: number, seats: Seats) {
    this.queueId = queueId
    this.deadline = deadline
    this.#seats = seats
    this.wakening = new Promise<Wakening>((resolve) => {
      this.#settle = resolve
    })
  }

  /**
   * The queue let it read, and its place among the queue's polls is known: it is the one that is held here from now on, and
   * ends if a newer one elsewhere has taken over meanwhile.
   */
  numbered(number: number): void {
    this.#number = number
    this.#seats.take(this)
    this.#endIfOlder()
  }

  /** A newer one is known of. */
  outnumbered(newerNumber: number): void {
    this.#newerNumber = Math.max(this.#newerNumber, newerNumber)
    this.#endIfOlder()
  }

  /** Has it answered; only the first reason counts. Returns whether this is the first. */
  wake(wakening: Wakening): boolean {
    if (this.#isWoken) return false
    this.#isWoken = true
    this.#settle(wakening)
    return true
  }

  /** The poll is answered, or refused. */
  release(): void {
    this.#seats.leave(this)
  }

  /** A message that comes late, about a poll that was itself replaced since, must not end the newest. */
  #endIfOlder(): void {
    if (this.#newerNumber === Number.POSITIVE_INFINITY) this.wake({ kind: 'end' })
    else if (this.#number !== null && this.#number < this.#newerNumber)
      this.wake({ kind: 'replaced', isHeldHere: false })
  }
}

const NONE: readonly Hold[] = []

/**
 * The polls that wait at this replica: for each queue the one that is held, and those whose read isn't answered yet. These
 * don't end the held one: whoever asks may be a stranger, or acknowledge what never was.
 */
export class Holds {
  readonly #held = new Map<string, Hold>()
  readonly #arriving = new Map<string, Set<Hold>>()
  readonly #seats: Seats = {
    take: (hold) => {
      this.#held.get(hold.queueId)?.wake({ kind: 'replaced', isHeldHere: true })
      this.#held.set(hold.queueId, hold)
      this.#arrived(hold)
    },
    leave: (hold) => {
      if (this.#held.get(hold.queueId) === hold) this.#held.delete(hold.queueId)
      this.#arrived(hold)
    },
  }

  /** How many are held: those whose queue was read, and that aren't answered. */
  get count(): number {
    return this.#held.size
  }

  /** A poll that is about to read its queue. `deadline` is in milliseconds of `Date.now()`. */
  arrive(queueId: string, deadline: number): Hold {
    const hold = new Hold(queueId, deadline, this.#seats)
    const others = this.#arriving.get(queueId)
    if (others) others.add(hold)
    else this.#arriving.set(queueId, new Set([hold]))
    return hold
  }

  /** The queue's poll that is held. */
  held(queueId: string): Hold | undefined {
    return this.#held.get(queueId)
  }

  /** The queue's polls that are still being read. */
  arriving(queueId: string): Iterable<Hold> {
    return this.#arriving.get(queueId) ?? NONE
  }

  /** Every poll of the queue. */
  *of(queueId: string): Iterable<Hold> {
    const held = this.#held.get(queueId)
    if (held) yield held
    yield* this.arriving(queueId)
  }

  *all(): Iterable<Hold> {
    yield* this.#held.values()
    for (const holds of this.#arriving.values()) yield* holds
  }

  #arrived(hold: Hold): void {
    const others = this.#arriving.get(hold.queueId)
    if (others?.delete(hold) && others.size === 0) this.#arriving.delete(hold.queueId)
  }
}
