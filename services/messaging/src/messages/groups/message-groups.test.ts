import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, expect, test, vi } from 'vitest'
import {
  type Groupable,
  type GroupLimits,
  type GroupOutcome,
  MessageGroups,
  type StatementFailure,
} from './message-groups.ts'

interface Message extends Groupable {
  readonly name: string
}

const LIMITS: GroupLimits = {
  together: 1,
  togetherWithSlow: 3,
  inTurn: 2,
  contended: 2,
  messages: 4,
  bytes: 1_000,
}

/** For so long a message may be stored. */
const TIME_MS = 10_000

/** A statement that was sent, and how to end it. */
interface Sent {
  readonly what: string
  readonly waitMs: number
  answer(...outcomes: (GroupOutcome | null)[]): Promise<void>
  fail(err: unknown): Promise<void>
}

let sent: Sent[]
let groups: MessageGroups<Message>
/** What became of each message, in the order of the answers. */
let answers: string[]
/** What was measured. */
let measured: string[]
beforeEach(() => {
  sent = []
  answers = []
  measured = []
  groups = aMessageStore()
})

function aMessageStore(limits: Partial<GroupLimits> = {}) {
  const send = <T>(
    how: string,
    messages: readonly Message[],
    waitMs: number,
    asResult: (outcomes: (GroupOutcome | null)[]) => T,
  ) =>
    new Promise<T>((resolve, reject) => {
      sent.push({
        what: `${how} ${messages.map(({ name }) => name).join(' ')}`,
        waitMs,
        answer: async (...outcomes) => {
          resolve(asResult(outcomes))
          await nextTurn()
        },
        fail: async (err) => {
          reject(err)
          await nextTurn()
        },
      })
    })
  const asOutcomes = (outcomes: (GroupOutcome | null)[]) => outcomes as GroupOutcome[]
  return new MessageGroups<Message>(
    {
      storeFree: (messages, waitMs) => send('together', messages, waitMs, asOutcomes),
      storeInTurn: (messages, waitMs) => send('in turn', messages, waitMs, asOutcomes),
      storeAlone: (message, waitMs) =>
        send('alone', [message], waitMs, ([outcome]) => (outcome as { id: number } | null)?.id ?? null),
      failureOf: (err) => (err === 'lost' ? 'unknown' : (err as StatementFailure)),
    },
    { ...LIMITS, ...limits },
    {
      sent: (messages) => measured.push(`sent ${messages}`),
      stored: () => measured.push('stored'),
      undone: () => measured.push('undone'),
      refused: () => measured.push('refused'),
    },
  )
}

/** Sends messages to recipients, as `a1` is message a to recipient 1. */
function store(names: string, more: Partial<Message> = {}): void {
  for (const name of names.split(' ')) {
    const recipientId = Number(name.at(-1))
    const until = performance.now() + TIME_MS
    const message = { recipientId, kind: 'read', key: null, until, bytes: 10, name, ...more }
    groups.store(message).then(
      (id) => answers.push(`${name}: ${id}`),
      (err) =>
        answers.push(`${name}: ${typeof err === 'string' ? err : err.message || err.constructor.name}`),
    )
  }
}

const lastSent = (): Sent => sent.at(-1) as Sent
const statements = () => sent.map(({ what }) => what)

test('a message that is alone is stored at once', async () => {
  store('a1')
  await nextTurn()
  expect(statements()).toEqual(['together a1'])
  await lastSent().answer({ id: 7 })
  expect(answers).toEqual(['a1: 7'])
})

test('messages that come in one turn of the event loop go together, also to several recipients', async () => {
  store('a1 b2 c1')
  await nextTurn()
  expect(statements()).toEqual(['together a1 c1 b2'])
  await lastSent().answer({ id: 1 }, { id: 3 }, { id: 2 })
  expect(answers.sort()).toEqual(['a1: 1', 'b2: 2', 'c1: 3'])
})

test('what comes during a commit goes next, in its order', async () => {
  store('a1')
  await nextTurn()
  store('b1 c2 d1')
  await nextTurn()
  expect(statements()).toEqual(['together a1'])
  await lastSent().answer({ id: 1 })
  expect(statements()).toEqual(['together a1', 'together c2 b1 d1'])
})

test('a group has a bounded number of messages and bytes', async () => {
  store('a1 b1 c1 d1 e1')
  await nextTurn()
  await lastSent().answer({ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 })
  expect(statements()).toEqual(['together a1 b1 c1 d1', 'together e1'])
  store('f1 g1 h1', { bytes: 600 })
  await lastSent().answer({ id: 5 })
  expect(statements().slice(2)).toEqual(['together f1 g1'])
})

test('a recipient with many messages lets others have their turn', async () => {
  store('a1 b1 c1 d1 e1 f1 g2')
  await nextTurn()
  await lastSent().answer({ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 })
  expect(statements()).toEqual(['together a1 b1 c1 d1', 'together g2 e1 f1'])
})

test('messages of different kinds are in different groups', async () => {
  store('a1')
  store('b1', { kind: 'unread' })
  store('c2')
  await nextTurn()
  await lastSent().answer({ id: 1 }, { id: 2 })
  expect(statements()).toEqual(['together a1 c2', 'together b1'])
})

test('a message without a kind is stored alone and keeps its place among those of its recipient', async () => {
  store('a1')
  store('b1', { kind: null })
  store('c1')
  await nextTurn()
  await lastSent().answer({ id: 1 })
  await lastSent().answer({ id: 2 })
  expect(statements()).toEqual(['together a1', 'alone b1', 'together c1'])
})

test('a channel that has changed concerns its own sender only', async () => {
  store('a1 b2')
  await nextTurn()
  await lastSent().answer('changed', { id: 2 })
  expect(answers).toEqual(['a1: null', 'b2: 2'])
})

test('a recipient whose lock another holds waits by itself, and the others go on', async () => {
  store('a1 b1 c2')
  await nextTurn()
  await lastSent().answer('passed over', 'passed over', { id: 3 })
  expect(answers).toEqual(['c2: 3'])
  store('d2 e1')
  await nextTurn()
  expect(statements().slice(1)).toEqual(['in turn a1 b1', 'together d2'])
  await sent[1]?.answer({ id: 5 }, { id: 6 })
  // It waits in its turn once more, since the lock is probably held again.
  expect(statements().slice(3)).toEqual(['alone e1'])
})

test('a message that is passed over in its turn too is stored alone', async () => {
  store('a1 b1')
  await nextTurn()
  await lastSent().answer('passed over', 'passed over')
  await lastSent().answer('passed over', { id: 2 })
  expect(statements()).toEqual(['together a1 b1', 'in turn a1 b1', 'alone a1'])
  await lastSent().answer(null)
  expect(answers).toEqual(['b1: 2', 'a1: null'])
})

test('only a bounded number of recipients wait in turn', async () => {
  store('a1 b2 c3')
  await nextTurn()
  await lastSent().answer('passed over', 'passed over', 'passed over')
  expect(statements().slice(1)).toEqual(['alone a1', 'alone b2'])
  await lastSent().answer({ id: 1 })
  expect(statements().slice(3)).toEqual(['alone c3'])
})

test('a group that the server refuses is stored message by message, and only the cause fails', async () => {
  store('a1 b2 c2')
  await nextTurn()
  await lastSent().fail('refused')
  expect(statements().slice(1)).toEqual(['alone a1', 'alone b2'])
  await sent[1]?.fail('refused')
  await sent[2]?.answer({ id: 2 })
  await lastSent().answer({ id: 3 })
  expect(answers).toEqual(['a1: refused', 'b2: 2', 'c2: 3'])
  expect(measured.slice(0, 2)).toEqual(['sent 3', 'undone'])
  expect(measured.filter((what) => what === 'stored')).toHaveLength(2)
})

test('a message that the server refuses by itself is not stored again', async () => {
  store('a1')
  await nextTurn()
  await lastSent().fail('refused')
  expect(answers).toEqual(['a1: refused'])
  expect(sent).toHaveLength(1)
})

test('what the server ends for the sake of others is stored alone, once', async () => {
  store('a1')
  await nextTurn()
  await lastSent().fail('rolled back')
  expect(statements()).toEqual(['together a1', 'alone a1'])
  await lastSent().fail('rolled back')
  expect(answers).toEqual(['a1: rolled back'])
})

test('a server without room is answered as unavailable', async () => {
  store('a1 b2')
  await nextTurn()
  await lastSent().fail('unavailable')
  const unavailable = 'The service is temporarily unavailable; try again shortly'
  expect(answers).toEqual([`a1: ${unavailable}`, `b2: ${unavailable}`])
  expect(sent).toHaveLength(1)
})

test('a message whose key exists is answered as a repetition, and the others are stored', async () => {
  store('a1 b2', { key: 'k' })
  store('c3')
  await nextTurn()
  await sent[0]?.answer('repeated', { id: 3 })
  expect(answers[0]).toBe('a1: RepeatedKeyError')
  expect(answers).toContain('c3: 3')
  expect(statements().filter((what) => what.includes('a1'))).toHaveLength(1)
})

test('a message that has the key of one that is stored alone is not in a group', async () => {
  store('a1', { kind: null, key: 'k' })
  await nextTurn()
  store('b2', { key: 'k' })
  store('c3')
  await nextTurn()
  expect(statements()).toEqual(['alone a1', 'together c3', 'alone b2'])
})

test('a lock that another holds keeps only some of those busy that have their own statement', async () => {
  groups = aMessageStore({ inTurn: 2, contended: 1 })
  store('a1 b2 c3', { kind: null })
  await nextTurn()
  // What can't have the lock in a moment makes room.
  expect(sent.map(({ waitMs }) => waitMs)).toEqual([100, 100])
  await sent[0]?.fail('locked')
  await sent[1]?.fail('locked')
  expect(statements().slice(2).sort()).toEqual(['alone a1', 'alone c3'])
  expect(sent.find(({ what }, index) => index > 1 && what === 'alone a1')?.waitMs).toBeGreaterThan(9_000)
  await sent.find(({ what }) => what === 'alone c3')?.answer({ id: 3 })
  expect(answers).toEqual(['c3: 3'])
  store('d4', { kind: null })
  await nextTurn()
  expect(lastSent().what).toBe('alone d4')
})

test('a group that waited too long for a lock is stored message by message', async () => {
  store('a1 b2')
  await nextTurn()
  await lastSent().fail('locked')
  expect(statements().slice(1)).toEqual(['alone a1', 'alone b2'])
})

test('a message whose time was over while it waited for a lock is refused', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  try {
    store('a1')
    await nextTurn()
    await lastSent().answer('passed over')
    expect(lastSent()).toMatchObject({ what: 'alone a1', waitMs: TIME_MS })
    vi.advanceTimersByTime(TIME_MS)
    await lastSent().fail('locked')
    expect(answers).toEqual(['a1: The server is busy; try again.'])
    store('b1', { until: performance.now() })
    await nextTurn()
    expect(answers.slice(1)).toEqual(['b1: The server is busy; try again.'])
    expect(sent).toHaveLength(2)
  } finally {
    vi.useRealTimers()
  }
})

test('a group of unknown outcome is not stored again', async () => {
  store('a1 b2')
  await nextTurn()
  await lastSent().fail('lost')
  expect(answers).toEqual(['a1: lost', 'b2: lost'])
  expect(sent).toHaveLength(1)
})

test('a message with a key that is being stored is not in a group with another', async () => {
  store('a1', { key: 'k' })
  store('b2', { key: 'k' })
  store('c3')
  await nextTurn()
  expect(statements()).toEqual(['together a1 c3', 'alone b2'])
  await lastSent().fail('refused')
  await sent[0]?.answer({ id: 1 }, { id: 3 })
  expect(answers).toEqual(['b2: refused', 'a1: 1', 'c3: 3'])
  store('d2', { key: 'k' })
  await nextTurn()
  expect(statements().slice(2)).toEqual(['together d2'])
})

test('a statement that takes long keeps no others waiting, up to a number of them', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    for (const name of ['a1', 'b2', 'c3', 'd4']) {
      store(name)
      await nextTurn()
      vi.advanceTimersByTime(25)
    }
    expect(statements()).toEqual(['together a1', 'together b2', 'together c3'])
    await sent[1]?.answer({ id: 2 })
    expect(statements().slice(3)).toEqual(['together d4'])
  } finally {
    vi.useRealTimers()
  }
})

test('a message whose time is over before its turn is refused', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  try {
    store('a1')
    await nextTurn()
    store('b1')
    await vi.advanceTimersByTimeAsync(TIME_MS + 2_000)
    expect(answers).toEqual(['b1: The server is busy; try again.'])
    expect(measured).toEqual(['sent 1', 'refused'])
    await lastSent().answer({ id: 1 })
    expect(answers.slice(1)).toEqual(['a1: 1'])
    expect(sent).toHaveLength(1)
  } finally {
    vi.useRealTimers()
  }
})

test('a channel whose messages all were refused is forgotten', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  try {
    groups = aMessageStore({ togetherWithSlow: 1 })
    store('a1')
    await nextTurn()
    store('b2')
    await vi.advanceTimersByTimeAsync(TIME_MS + 2_000)
    expect(answers).toEqual(['b2: The server is busy; try again.'])
    expect(groups.waitingRecipients).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('a channel that is no longer contended is stored together again, without another message', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  try {
    groups = aMessageStore({ inTurn: 1, contended: 1 })
    store('a1 b2')
    await nextTurn()
    await lastSent().answer('passed over', 'passed over')
    expect(statements().slice(1)).toEqual(['alone a1'])
    await vi.advanceTimersByTimeAsync(2_000)
    await nextTurn()
    expect(statements().slice(2)).toEqual(['together b2'])
  } finally {
    vi.useRealTimers()
  }
})
