import type { Wake } from '../redis/commit-operations.ts'
import type { Keys } from '../redis/keys.ts'
import type { DeliveryTraces } from '../tracing/delivery-traces.ts'
import { type Hold, Holds, type Wakening } from './holds.ts'
import { parseTakeover } from './takeover.ts'

/** Deadlines are checked this often, by one timer for all polls rather than one each. */
const TICK_MS = 500

const LOOK: Wakening = { kind: 'look' }

/** The polls that this replica holds, and what wakes them. */
export interface Waiters {
  /**
   * Registers a poll before its queue is read, so that nothing committed in between is missed. One that is held here for
   * the same queue goes on until this one's read was in order (`Hold.numbered`). `deadline` is in milliseconds of
   * `Date.now()`.
   */
  hold(queueId: string, deadline: number): Hold
  /** Resolves when the queue was opened by its partition's owner. */
  opened(queueId: string): { readonly promise: Promise<void>; release(): void }
  readonly count: () => number
  /** How many polls a commit has ended so far. */
  readonly wokenSoFar: () => number
  /** Has every poll answered with what is there, and those that come from now on. */
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
  const holds = new Holds()
  const openings = new Map<string, () => void>()
  /** Channels of which something may have been missed. */
  const unheard = new Set<string>()
  const takeovers = new Set(keys.takeovers(replicaId))
  let woken = 0
  let isEnding = false

  const onMessage = (channel: string, message: string) => {
    if (takeovers.has(channel)) {
      const { queueId, newerNumber } = parseTakeover(message)
      for (const hold of holds.of(queueId)) hold.outnumbered(newerNumber)
      return
    }
    if (channel === keys.handovers) return message === replicaId ? undefined : onHandover(message)
    const { events, opened, closed, traceparents } = JSON.parse(message) as Wake
    // Before the polls go on, which tell of what they deliver.
    if (traceparents) onTraces(keys.allWakes.indexOf(channel), traceparents)
    for (const queueId of opened) openings.get(queueId)?.()
    for (const queueId in events) {
      // Of what comes first after a loss, nobody knows what came before it: the queue does.
      const isAll = !unheard.has(channel)
      const held = holds.held(queueId)
      if (held?.wake(isAll ? { kind: 'events', eventIds: events[queueId] ?? [] } : LOOK)) woken++
      // Whether Redis counted with them being told, when it took these events, is not known.
      for (const hold of holds.arriving(queueId)) hold.wake(LOOK)
    }
    for (const queueId of closed) for (const hold of holds.of(queueId)) hold.wake(LOOK)
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
      for (const hold of holds.all()) hold.wake(LOOK)
    },
  })

  const timer = setInterval(() => {
    const now = Date.now()
    for (const hold of holds.all()) if (hold.deadline <= now) hold.wake(LOOK)
  }, TICK_MS)

  return {
    hold: (queueId, deadline) => {
      const hold = holds.arrive(queueId, deadline)
      if (isEnding) hold.wake({ kind: 'end' })
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
    count: () => holds.count,
    wokenSoFar: () => woken,
    endAll: () => {
      isEnding = true
      for (const hold of holds.all()) hold.wake({ kind: 'end' })
    },
    close: () => {
      clearInterval(timer)
      return subscription.close()
    },
  }
}
