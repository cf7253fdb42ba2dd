import type { CommitNotice } from '../redis/commit-operations.ts'
import type { Keys } from '../redis/keys.ts'
import { parseTakeover } from '../redis/takeover.ts'
import type { DeliveryTraces } from './delivery-traces.ts'
import { type PendingPoll, PendingPolls, type WaitingReader, type WakeReason } from './pending-polls.ts'

/** Interval of checking deadlines, with one timer for all polls rather than one each. */
const DEADLINE_CHECK_MS = 500

const READ: WakeReason = { kind: 'read' }

/** The pending polls of this replica. Messages of Redis wake them. */
export interface PollRegistry {
  /**
   * Registers a poll or a stream before its queue is read, so that no commit in between is missed. The pending one of the same queue
   * at this replica stays until this one's read succeeds (`PendingPoll.setNumber`). `deadline` is in milliseconds of
   * `Date.now()`. The reader is woken by each commit, and never after the release.
   */
  register(queueId: string, deadline: number, reader: WaitingReader): PendingPoll
  /** The promise resolves when the partition's owner has opened the queue. */
  awaitOpening(queueId: string): { readonly promise: Promise<void>; release(): void }
  readonly countPending: () => number
  /** How often a commit has woken a poll or a stream so far. */
  readonly countWoken: () => number
  /** Has every poll answered at once with the events in its queue, including polls that arrive later. */
  endAll(): void
  close(): Promise<void>
}

type Subscribe = (options: {
  readonly channels: readonly string[]
  readonly onMessage: (channel: string, message: string) => void
  readonly onLost: (channels: readonly string[]) => void
  readonly onSubscribed: (channels: readonly string[]) => void
}) => { close(): Promise<void> }

/**
 * Subscribes to commits, takeovers and handovers. `onHandover` is called when another replica starts, stops, releases or acquires
 * partitions; `onTraces` with the traces that a commit is part of.
 */
export function startPollRegistry(options: {
  subscribe: Subscribe
  keys: Keys
  replicaId: string
  onHandover: (replicaId: string) => void
  onTraces: DeliveryTraces['recordCommits']
}): PollRegistry {
  const { subscribe, keys, replicaId, onHandover, onTraces } = options
  const polls = new PendingPolls()
  const openings = new Map<string, () => void>()
  /** Channels that may have lost messages. */
  const interrupted = new Set<string>()
  const takeovers = new Set(keys.takeovers(replicaId))
  let wokenCount = 0
  let isEnding = false

  const onMessage = (channel: string, message: string) => {
    if (takeovers.has(channel)) {
      const { queueId, newerNumber } = parseTakeover(message)
      for (const poll of polls.listOf(queueId)) poll.noteNewer(newerNumber)
      return
    }
    if (channel === keys.handovers) return message === replicaId ? undefined : onHandover(message)
    const { events, opened, closed, traceparents } = JSON.parse(message) as CommitNotice
    // Before the polls are answered, which add their deliveries to these traces.
    if (traceparents) onTraces(keys.allWakes.indexOf(channel), traceparents)
    for (const queueId of opened) openings.get(queueId)?.()
    for (const queueId in events) {
      // On an interrupted channel earlier events may have been missed, so the queue must be read.
      const isComplete = !interrupted.has(channel)
      const pending = polls.findPending(queueId)
      if (pending?.wake(isComplete ? { kind: 'events', eventIds: events[queueId] ?? [] } : READ)) wokenCount++
      // Redis may not have recorded these polls as pending at the time of the commit, so they read the queue again.
      for (const poll of polls.listReading(queueId)) poll.wake(READ)
    }
    for (const queueId of closed) for (const poll of polls.listOf(queueId)) poll.wake(READ)
  }
  const subscription = subscribe({
    channels: [...keys.allWakes, keys.handovers, ...takeovers],
    onMessage,
    onLost: (channels) => {
      for (const channel of channels) interrupted.add(channel)
    },
    // Messages sent during the interruption are lost, so every queue is read once subscribed again.
    onSubscribed: (channels) => {
      for (const channel of channels) interrupted.delete(channel)
      for (const poll of polls.listAll()) poll.wake(READ)
    },
  })

  const timer = setInterval(() => {
    const now = Date.now()
    for (const poll of polls.listAll()) if (poll.deadline <= now) poll.wake(READ)
  }, DEADLINE_CHECK_MS)

  return {
    register: (queueId, deadline, reader) => {
      const poll = polls.add(queueId, deadline, reader)
      if (isEnding) poll.wake({ kind: 'end' })
      return poll
    },
    awaitOpening: (queueId) => {
      let resolveOpened = () => {}
      const promise = new Promise<void>((resolve) => {
        resolveOpened = resolve
      })
      openings.set(queueId, resolveOpened)
      return { promise, release: () => openings.delete(queueId) }
    },
    countPending: () => polls.count,
    countWoken: () => wokenCount,
    endAll: () => {
      isEnding = true
      for (const poll of polls.listAll()) poll.wake({ kind: 'end' })
    },
    close: () => {
      clearInterval(timer)
      return subscription.close()
    },
  }
}
