import type { Wake } from '../redis/commit-operations.ts'
import type { Keys } from '../redis/keys.ts'
import type { DeliveryTraces } from '../tracing/delivery-traces.ts'
import { parseTakeover } from './takeover.ts'

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

/** One held poll. A class, since there are as many as there are clients. */
export class Hold {
  readonly queueId: string
  readonly deadline: number
  readonly wakening: Promise<Wakening>
  #settle: (wakening: Wakening) => void = () => {}
  readonly #release: (hold: Hold) => void
  /** Null until the queue was read. */
  #number: number | null = null
  /** The newest poll that is known to have taken over; it may be told before this one's own number is. */
  #newerNumber = Number.NEGATIVE_INFINITY

  constructor(queueId: string, deadline: number, release: (hold: Hold) => void) {
    this.queueId = queueId
    this.deadline = deadline
    this.#release = release
    this.wakening = new Promise<Wakening>((resolve) => {
      this.#settle = resolve
    })
  }

  /** Its place among the queue's polls is known: it ends if a newer one has taken over meanwhile. */
  numbered(number: number): void {
    this.#number = number
    this.#endIfOlder()
  }

  /** A newer one is known of. */
  outnumbered(newerNumber: number): void {
    this.#newerNumber = Math.max(this.#newerNumber, newerNumber)
    this.#endIfOlder()
  }

  /** Has it answered; only the first reason counts. */
  wake(wakening: Wakening): void {
    this.#settle(wakening)
  }

  /** The poll is answered. */
  release(): void {
    this.#release(this)
  }

  /** A message that comes late, about a poll that was itself replaced since, must not end the newest. */
  #endIfOlder(): void {
    if (this.#newerNumber === Number.POSITIVE_INFINITY) this.wake({ kind: 'end' })
    else if (this.#number !== null && this.#number < this.#newerNumber)
      this.wake({ kind: 'replaced', isHeldHere: false })
  }
}

/** Deadlines are checked this often, by one timer for all polls rather than one each. */
const TICK_MS = 500

/** The polls that this replica holds, and what wakes them. */
export interface Waiters {
  /**
   * Registers a poll before its queue is read, so that nothing committed in between is missed. One that is
   * held here for the same queue ends. `deadline` is in milliseconds of `Date.now()`.
   */
  hold(queueId: string, deadline: number): Hold
  /** Resolves when the queue was opened by its partition's owner. */
  opened(queueId: string): { readonly promise: Promise<void>; release(): void }
  readonly count: () => number
  /** How many polls a commit has ended so far. */
  readonly wokenSoFar: () => number
  endAll(): void
  close(): Promise<void>
}

/** Listens to channels; as the service kit's `subscribe`. */
type Subscribe = (options: {
  readonly channels: readonly string[]
  readonly onMessage: (channel: string, message: string) => void
  readonly onLost: (channels: readonly string[]) => void
  readonly onSubscribed: (channels: readonly string[]) => void
}) => { close(): Promise<void> }

/**
 * Subscribes to wake-ups and to what other replicas tell this one; `onHandover` is called when another comes, goes, gives
 * back or takes, `onTraces` with the traces that a partition's commit was part of.
 */
export function startWaiters(options: {
  subscribe: Subscribe
  keys: Keys
  replicaId: string
  onHandover: (replicaId: string) => void
  onTraces: DeliveryTraces['note']
}): Waiters {
  const { subscribe, keys, replicaId, onHandover, onTraces } = options
  const held = new Map<string, Hold>()
  const openings = new Map<string, () => void>()
  /** Channels of which something may have been missed. */
  const unheard = new Set<string>()
  const takeovers = new Set(keys.takeovers(replicaId))
  let woken = 0

  const onMessage = (channel: string, message: string) => {
    if (takeovers.has(channel)) {
      const { queueId, newerNumber } = parseTakeover(message)
      held.get(queueId)?.outnumbered(newerNumber)
      return
    }
    if (channel === keys.handovers) return message === replicaId ? undefined : onHandover(message)
    const { events, opened, closed, traceparents } = JSON.parse(message) as Wake
    // Before the polls go on, which tell of what they deliver.
    if (traceparents) onTraces(keys.allWakes.indexOf(channel), traceparents)
    for (const queueId of opened) openings.get(queueId)?.()
    for (const queueId in events) {
      const hold = held.get(queueId)
      if (!hold) continue
      woken++
      // Of what comes first after a loss, nobody knows what came before it: the queue does.
      hold.wake(unheard.has(channel) ? { kind: 'look' } : { kind: 'events', eventIds: events[queueId] ?? [] })
    }
    for (const queueId of closed) held.get(queueId)?.wake({ kind: 'look' })
  }
  const subscription = subscribe({
    channels: [...keys.allWakes, keys.handovers, ...takeovers],
    onMessage,
    onLost: (channels) => {
      for (const channel of channels) unheard.add(channel)
    },
    // Wake-ups sent while the connection was away are gone, so every queue is read once subscribed again.
    onSubscribed: (channels) => {
      for (const channel of channels) unheard.delete(channel)
      for (const hold of held.values()) hold.wake({ kind: 'look' })
    },
  })

  const release = (hold: Hold) => {
    if (held.get(hold.queueId) === hold) held.delete(hold.queueId)
  }
  const timer = setInterval(() => {
    const now = Date.now()
    for (const hold of held.values()) if (hold.deadline <= now) hold.wake({ kind: 'look' })
  }, TICK_MS)

  return {
    hold: (queueId, deadline) => {
      held.get(queueId)?.wake({ kind: 'replaced', isHeldHere: true })
      const hold = new Hold(queueId, deadline, release)
      held.set(queueId, hold)
      return hold
    },
    opened: (queueId) => {
      let resolveOpened = () => {}
      const promise = new Promise<void>((resolve) => {
        resolveOpened = resolve
      })
      openings.set(queueId, resolveOpened)
      return { promise, release: () => openings.delete(queueId) }
    },
    count: () => held.size,
    wokenSoFar: () => woken,
    endAll: () => {
      for (const hold of held.values()) hold.wake({ kind: 'end' })
    },
    close: () => {
      clearInterval(timer)
      return subscription.close()
    },
  }
}
