import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keysOf } from '../redis/keys.ts'
import type { PendingPoll, WakeReason } from './pending-polls.ts'
import { type PollRegistry, startPollRegistry } from './poll-registry.ts'

const keys = keysOf('', 1)
const QUEUE = 'b4c1'
let pollRegistry: PollRegistry
let receiveTakeover: (message: string) => void
/** Receives a commit that appended an event to the queue. */
let receiveCommit: (eventId: number) => void
/** Receives a handover of a replica. */
let receiveHandover: (replicaId: string) => void
let handovers: string[]
let interrupt: () => void
let resubscribe: () => void
beforeEach(() => {
  handovers = []
  pollRegistry = startPollRegistry({
    subscribe: ({ onMessage, onLost, onSubscribed }) => {
      const [ofPartition = ''] = keys.takeovers('here')
      receiveTakeover = (message) => onMessage(ofPartition, message)
      receiveCommit = (eventId) =>
        onMessage(keys.wakes(0), JSON.stringify({ events: { [QUEUE]: [eventId] }, opened: [], closed: [] }))
      receiveHandover = (replicaId) => onMessage(keys.handovers, replicaId)
      interrupt = () => onLost(keys.allWakes)
      resubscribe = () => onSubscribed(keys.allWakes)
      return { close: async () => {} }
    },
    keys,
    replicaId: 'here',
    onHandover: (replicaId) => handovers.push(replicaId),
    onTraces: () => {},
  })
})
afterEach(() => pollRegistry.close())

/** Why each poll was woken first. */
const reasons = new Map<PendingPoll, () => WakeReason | null>()
const registerPoll = (): PendingPoll => {
  let first: WakeReason | null = null
  const poll = pollRegistry.register(QUEUE, Date.now() + 60_000, {
    wake: (reason) => {
      const isFirst = first === null
      first ??= reason
      return isFirst
    },
  })
  reasons.set(poll, () => first)
  return poll
}
const reasonOf = (poll: PendingPoll) => reasons.get(poll)?.() ?? null
/** 'nothing' if the poll is still pending. */
const kindOf = (poll: PendingPoll): string => reasonOf(poll)?.kind ?? 'nothing'

test('passes on handovers of other replicas, but not its own', () => {
  receiveHandover('elsewhere')
  receiveHandover('here')
  // Earlier releases send no replica ID.
  receiveHandover('')

  expect(handovers).toEqual(['elsewhere', ''])
})

describe('a poll that was superseded at another replica', () => {
  test('ends', () => {
    const poll = registerPoll()
    poll.setNumber(5)
    receiveTakeover(`${QUEUE} 6`)

    expect(kindOf(poll)).toBe('superseded')
  })

  test('ends even if the message arrives before its own number', () => {
    const poll = registerPoll()
    receiveTakeover(`${QUEUE} 6`)
    expect(kindOf(poll)).toBe('nothing')
    poll.setNumber(5)

    expect(kindOf(poll)).toBe('superseded')
  })

  test('stays pending if it is newer than the other poll', () => {
    const poll = registerPoll()
    receiveTakeover(`${QUEUE} 6`)
    poll.setNumber(7)
    receiveTakeover(`${QUEUE} 5`)

    expect(kindOf(poll)).toBe('nothing')
  })

  test('ends regardless of its number if all polls of the queue must end', () => {
    const poll = registerPoll()
    receiveTakeover(QUEUE)

    expect(kindOf(poll)).toBe('end')
  })
})

describe('polls of one queue at one replica', () => {
  test('leave the pending one alone until their own read succeeds', () => {
    const pending = registerPoll()
    pending.setNumber(5)
    const rejected = registerPoll()
    rejected.release()

    expect(kindOf(pending)).toBe('nothing')
    expect(pollRegistry.countPending()).toBe(1)
    receiveCommit(1)
    expect(kindOf(pending)).toBe('events')
  })

  test('end the pending one when their read has succeeded', () => {
    const older = registerPoll()
    older.setNumber(5)
    const newer = registerPoll()
    newer.setNumber(6)

    expect(reasonOf(older)).toEqual({ kind: 'superseded', isPendingHere: true })
    older.release()
    expect(kindOf(newer)).toBe('nothing')
    expect(pollRegistry.countPending()).toBe(1)
  })

  test('read again after a commit during their read, because Redis has not recorded them as pending', () => {
    const [pending, first, second] = [registerPoll(), registerPoll(), registerPoll()]
    pending.setNumber(5)
    receiveCommit(1)

    expect([pending, first, second].map(kindOf)).toEqual(['events', 'read', 'read'])
    expect(pollRegistry.countWoken()).toBe(1)
  })

  test('all end when the registry ends polls, including later ones', () => {
    const [pending, reading] = [registerPoll(), registerPoll()]
    pending.setNumber(5)
    pollRegistry.endAll()

    expect([pending, reading, registerPoll()].map(kindOf)).toEqual(['end', 'end', 'end'])
  })

  test('are removed once answered', () => {
    const polls = [registerPoll(), registerPoll(), registerPoll()]
    polls[1]?.setNumber(5)
    for (const poll of polls) poll.release()

    expect(pollRegistry.countPending()).toBe(0)
  })
})

describe('a pending poll whose queue gets an event', () => {
  test('is woken with that event', () => {
    interrupt()
    resubscribe()
    const poll = registerPoll()
    poll.setNumber(5)
    receiveCommit(1)

    expect(reasonOf(poll)).toEqual({ kind: 'events', eventIds: [1] })
  })

  test('reads the queue if earlier messages may have been lost', () => {
    resubscribe()
    const poll = registerPoll()
    poll.setNumber(5)
    interrupt()
    receiveCommit(2)

    expect(reasonOf(poll)).toEqual({ kind: 'read' })
  })

  test('reads the queue once the subscription is restored', () => {
    interrupt()
    const poll = registerPoll()
    expect(kindOf(poll)).toBe('nothing')
    resubscribe()

    expect(kindOf(poll)).toBe('read')
  })
})
