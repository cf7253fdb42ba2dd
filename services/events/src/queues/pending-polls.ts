/** Why a pending poll must be answered. */
export type WakeReason =
  /** These events were committed; the queue was empty before them. */
  | { readonly kind: 'events'; readonly eventIds: readonly number[] }
  /** Events may have been missed: read the queue. */
  | { readonly kind: 'read' }
  /** The queue was deleted or this process stops: answer at once with the events in the queue. */
  | { readonly kind: 'end' }
  /** A newer poll took over and gets the events. */
  | { readonly kind: 'superseded'; readonly isPendingHere: boolean }
  /** The client closed the connection: there is nobody to answer. */
  | { readonly kind: 'disconnected' }

/** A poll or a stream, which waits for events. */
export interface WaitingReader {
  /** Returns whether it makes use of the reason: a poll only of the first one. */
  wake(reason: WakeReason): boolean
}

interface PollLifecycle {
  onPending(poll: PendingPoll): void
  onReleased(poll: PendingPoll): void
}

/** A poll, or a stream, that reads its queue or waits. A class, because there are as many as clients. */
export class PendingPoll {
  readonly queueId: string
  readonly deadline: number
  readonly #reader: WaitingReader
  readonly #lifecycle: PollLifecycle
  /** Null until the queue was read. */
  #number: number | null = null
  /** Highest known number of a poll that took over. May be known before this poll's own number. */
  #newerNumber: number | null = null

  constructor(queueId: string, deadline: number, reader: WaitingReader, lifecycle: PollLifecycle) {
    this.queueId = queueId
    this.deadline = deadline
    this.#reader = reader
    this.#lifecycle = lifecycle
  }

  /**
   * Sets the number that reading the queue returned. From then on this is the queue's pending poll at this replica. It ends if a
   * newer poll at another replica has taken over meanwhile.
   */
  setNumber(number: number): void {
    this.#number = number
    this.#lifecycle.onPending(this)
    this.#wakeIfSuperseded()
  }

  /** Records the number of a newer poll, which ends this one if its own number is lower. */
  noteNewer(newerNumber: number): void {
    this.#newerNumber = Math.max(this.#newerNumber ?? newerNumber, newerNumber)
    this.#wakeIfSuperseded()
  }

  wake(reason: WakeReason): boolean {
    return this.#reader.wake(reason)
  }

  release(): void {
    this.#lifecycle.onReleased(this)
  }

  /** Compares numbers, because a late message about a poll that was itself superseded must not end the newest one. */
  #wakeIfSuperseded(): void {
    if (this.#newerNumber === null) return
    if (this.#newerNumber === Number.POSITIVE_INFINITY) this.wake({ kind: 'end' })
    else if (this.#number !== null && this.#number < this.#newerNumber)
      this.wake({ kind: 'superseded', isPendingHere: false })
  }
}

const NONE: readonly PendingPoll[] = []

/**
 * The polls at this replica, streams included: for each queue the pending one, and those that are reading the queue. The latter
 * don't end the pending one before their read succeeds, because the caller may not own the queue or may send an invalid event ID.
 */
export class PendingPolls {
  readonly #pending = new Map<string, PendingPoll>()
  readonly #reading = new Map<string, Set<PendingPoll>>()
  readonly #lifecycle: PollLifecycle = {
    onPending: (poll) => {
      const earlier = this.#pending.get(poll.queueId)
      // A stream reads again while it is pending.
      if (earlier !== poll) earlier?.wake({ kind: 'superseded', isPendingHere: true })
      this.#pending.set(poll.queueId, poll)
      this.#removeReading(poll)
    },
    onReleased: (poll) => {
      if (this.#pending.get(poll.queueId) === poll) this.#pending.delete(poll.queueId)
      this.#removeReading(poll)
    },
  }

  /** Number of pending polls and streams: those that have read their queue and aren't answered yet. */
  get count(): number {
    return this.#pending.size
  }

  /** Adds a poll or a stream that is about to read its queue. `deadline` is in milliseconds of `Date.now()`. */
  add(queueId: string, deadline: number, reader: WaitingReader): PendingPoll {
    const poll = new PendingPoll(queueId, deadline, reader, this.#lifecycle)
    const others = this.#reading.get(queueId)
    if (others) others.add(poll)
    else this.#reading.set(queueId, new Set([poll]))
    return poll
  }

  findPending(queueId: string): PendingPoll | undefined {
    return this.#pending.get(queueId)
  }

  listReading(queueId: string): Iterable<PendingPoll> {
    return this.#reading.get(queueId) ?? NONE
  }

  *listOf(queueId: string): Iterable<PendingPoll> {
    const pending = this.#pending.get(queueId)
    if (pending) yield pending
    yield* this.listReading(queueId)
  }

  *listAll(): Iterable<PendingPoll> {
    yield* this.#pending.values()
    for (const polls of this.#reading.values()) yield* polls
  }

  #removeReading(poll: PendingPoll): void {
    const others = this.#reading.get(poll.queueId)
    if (others?.delete(poll) && others.size === 0) this.#reading.delete(poll.queueId)
  }
}
