import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, expect, test, vi } from 'vitest'
import {
  type Groupable,
  type GroupLimits,
  type GroupOutcome,
  MAX_WAIT_MS,
  MessageGroups,
} from './message-groups.ts'

interface Message extends Groupable {
  readonly name: string
}

const LIMITS: GroupLimits = { together: 1, togetherWithSlow: 3, inTurn: 2, messages: 4, bytes: 1_000 }

/** A statement that was sent, and how to end it. */
interface Sent {
  readonly what: string
  answer(...outcomes: (GroupOutcome | null)[]): Promise<void>
  fail(err: unknown): Promise<void>
}

let sent: Sent[]
let groups: MessageGroups<Message>
/** What became of each message, in the order of the answers. */
let answers: string[]
beforeEach(() => {
  sent = []
  answers = []
  groups = aMessageStore()
})

function aMessageStore(limits: Partial<GroupLimits> = {}) {
  const send = <T>(
    how: string,
    messages: readonly Message[],
    asResult: (outcomes: (GroupOutcome | null)[]) => T,
  ) =>
    new Promise<T>((resolve, reject) => {
      sent.push({
        what: `${how} ${messages.map(({ name }) => name).join(' ')}`,
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
      storeFree: (messages) => send('together', messages, asOutcomes),
      storeInTurn: (messages) => send('in turn', messages, asOutcomes),
      storeAlone: (message) =>
        send('alone', [message], ([outcome]) => (outcome as { readonly id: number } | null)?.id ?? null),
      isRefused: (err) => err === 'refused',
    },
    { ...LIMITS, ...limits },
  )
}

/** Sends messages to recipients, as `a1` is message a to recipient 1. */
function store(names: string, more: Partial<Message> = {}): void {
  for (const name of names.split(' ')) {
    const message = { recipientId: Number(name.at(-1)), kind: 'read', key: null, bytes: 10, name, ...more }
    groups.store(message).then(
      (id) => answers.push(`${name}: ${id}`),
      (err) => answers.push(`${name}: ${err.message ?? err}`),
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

test('a message that waits too long for its turn is refused', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  try {
    store('a1')
    await nextTurn()
    store('b1')
    await vi.advanceTimersByTimeAsync(MAX_WAIT_MS + 2_000)
    expect(answers).toEqual(['b1: The channel is busy; try again.'])
    await lastSent().answer({ id: 1 })
    expect(answers.slice(1)).toEqual(['a1: 1'])
    expect(sent).toHaveLength(1)
  } finally {
    vi.useRealTimers()
  }
})
