import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keysOf } from '../redis/keys.ts'
import { startWaiters, type Waiters } from './waiters.ts'

const keys = keysOf('', 1)
const QUEUE = 'b4c1'
let waiters: Waiters
let tell: (message: string) => void
/** What is heard of a commit that appended an event to the queue. */
let hear: (eventId: number) => void
/** What is heard of a replica that came or went, or gave or took partitions. */
let hearOf: (replicaId: string) => void
let heardOf: string[]
let lose: () => void
let subscribed: () => void
beforeEach(() => {
  heardOf = []
  waiters = startWaiters({
    subscribe: ({ onMessage, onLost, onSubscribed }) => {
      const [ofPartition = ''] = keys.takeovers('here')
      tell = (message) => onMessage(ofPartition, message)
      hear = (eventId) =>
        onMessage(keys.wakes(0), JSON.stringify({ events: { [QUEUE]: [eventId] }, opened: [], closed: [] }))
      hearOf = (replicaId) => onMessage(keys.handovers, replicaId)
      lose = () => onLost(keys.allWakes)
      subscribed = () => onSubscribed(keys.allWakes)
      return { close: async () => {} }
    },
    keys,
    replicaId: 'here',
    onHandover: (replicaId) => heardOf.push(replicaId),
    onTraces: () => {},
  })
})
afterEach(() => waiters.close())

const holdPoll = () => waiters.hold(QUEUE, Date.now() + 60_000)
/** What a held poll has been woken by; 'nothing' if it still waits. */
const wokenBy = async ({ wakening }: { wakening: Promise<{ kind: string }> }): Promise<string> => {
  const settled = await Promise.race([wakening, Promise.resolve({ kind: 'nothing' })])
  return settled.kind
}

test('what other replicas tell of themselves is heard, and what this one does is not', () => {
  hearOf('elsewhere')
  hearOf('here')
  // Releases before this one don't say who they are.
  hearOf('')

  expect(heardOf).toEqual(['elsewhere', ''])
})

describe('a poll that another replica has taken over', () => {
  test('ends', async () => {
    const hold = holdPoll()
    hold.numbered(5)
    tell(`${QUEUE} 6`)

    expect(await wokenBy(hold)).toBe('replaced')
  })

  test('ends though that is heard before its own number is known', async () => {
    const hold = holdPoll()
    tell(`${QUEUE} 6`)
    expect(await wokenBy(hold)).toBe('nothing')
    hold.numbered(5)

    expect(await wokenBy(hold)).toBe('replaced')
  })

  test('stays when it is itself newer than the one that took over', async () => {
    const hold = holdPoll()
    tell(`${QUEUE} 6`)
    hold.numbered(7)
    tell(`${QUEUE} 5`)

    expect(await wokenBy(hold)).toBe('nothing')
  })

  test('ends whatever its number when no poll is to be held any more', async () => {
    const hold = holdPoll()
    tell(QUEUE)

    expect(await wokenBy(hold)).toBe('end')
  })
})

describe('polls of one queue at one replica', () => {
  test('leave the held one alone while it isn’t known whether the queue lets them read', async () => {
    const held = holdPoll()
    held.numbered(5)
    const refused = holdPoll()
    refused.release()

    expect(await wokenBy(held)).toBe('nothing')
    expect(waiters.count()).toBe(1)
    hear(1)
    expect(await wokenBy(held)).toBe('events')
  })

  test('end the held one when they have read', async () => {
    const older = holdPoll()
    older.numbered(5)
    const newer = holdPoll()
    newer.numbered(6)

    expect(await older.wakening).toEqual({ kind: 'replaced', isHeldHere: true })
    older.release()
    expect(await wokenBy(newer)).toBe('nothing')
    expect(waiters.count()).toBe(1)
  })

  test('look again for what comes while they read: nobody has noted that they are told it', async () => {
    const [held, first, second] = [holdPoll(), holdPoll(), holdPoll()]
    held.numbered(5)
    hear(1)

    expect(await Promise.all([held, first, second].map(wokenBy))).toEqual(['events', 'look', 'look'])
    expect(waiters.wokenSoFar()).toBe(1)
  })

  test('end all when none is to be held any more, those that come later too', async () => {
    const [held, arriving] = [holdPoll(), holdPoll()]
    held.numbered(5)
    waiters.endAll()

    expect(await Promise.all([held, arriving, holdPoll()].map(wokenBy))).toEqual(['end', 'end', 'end'])
  })

  test('are forgotten once answered', () => {
    const polls = [holdPoll(), holdPoll(), holdPoll()]
    polls[1]?.numbered(5)
    for (const poll of polls) poll.release()

    expect(waiters.count()).toBe(0)
  })
})

describe('a poll whose queue gets an event', () => {
  test('is told that one, which is all that there is', async () => {
    lose()
    subscribed()
    const hold = holdPoll()
    hold.numbered(5)
    hear(1)

    expect(await hold.wakening).toEqual({ kind: 'events', eventIds: [1] })
  })

  test('looks for itself where others may have come unheard', async () => {
    subscribed()
    const hold = holdPoll()
    hold.numbered(5)
    lose()
    hear(2)

    expect(await hold.wakening).toEqual({ kind: 'look' })
  })

  test('looks for itself once it can hear again', async () => {
    lose()
    const hold = holdPoll()
    expect(await wokenBy(hold)).toBe('nothing')
    subscribed()

    expect(await wokenBy(hold)).toBe('look')
  })
})
