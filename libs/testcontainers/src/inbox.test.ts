import type { Client, Message } from '@tms/client'
import { expect, test } from 'vitest'
import { Inbox } from './inbox.ts'

interface Poll {
  readonly lastEventId: number
  readonly answer: (events: object[]) => void
}

/** An API with one queue that ends a poll when another one arrives, like the real one. */
class FakeApi {
  /** The last event IDs of its polls. */
  readonly polls: number[] = []
  #events: { readonly id: number }[] = []
  #poll: Poll | null = null
  #noticed: (() => void)[] = []

  readonly client = {
    register: async () => ({ queue_id: 'q', last_event_id: -1 }),
    deleteEventQueue: async () => ({}),
    getEvents: ({ last_event_id }: { last_event_id: number }, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        this.#poll?.answer([])
        this.polls.push(last_event_id)
        this.#poll = { lastEventId: last_event_id, answer: (events) => resolve({ events }) }
        signal.addEventListener('abort', () => {
          this.#poll = null
          reject(new Error('aborted'))
        })
        this.#flush()
        for (const notice of this.#noticed.splice(0)) notice()
      }),
  } as unknown as Client

  addEvents(...events: { readonly id: number; readonly type: string; readonly message?: Message }[]): void {
    this.#events.push(...events)
    this.#flush()
  }

  async untilPolled(): Promise<void> {
    while (this.#poll === null) await new Promise<void>((resolve) => this.#noticed.push(resolve))
  }

  #flush(): void {
    const { lastEventId, answer } = this.#poll ?? { lastEventId: Infinity, answer: () => {} }
    const events = this.#events.filter(({ id }) => id > lastEventId)
    if (events.length === 0) return
    this.#poll = null
    answer(events)
  }
}

const from = (sender: string, content: string) =>
  ({ sender_full_name: sender, content, subject: 'hello', display_recipient: 'general' }) as Message

test('messages that do not match stay for later calls', async () => {
  const api = new FakeApi()
  const inbox = await Inbox.open(api.client)
  const [hi, other] = [from('Iago', 'hi'), from('Emilia', 'other')]
  api.addEvents({ id: 3, type: 'message', message: hi }, { id: 4, type: 'message', message: other })

  expect(await inbox.next(({ sender_full_name }) => sender_full_name === 'Emilia')).toBe(other)
  expect(await inbox.next()).toBe(hi)
})

test('each poll continues after the last one, including heartbeats', async () => {
  const api = new FakeApi()
  const next = (await Inbox.open(api.client)).next()
  api.addEvents({ id: 3, type: 'heartbeat' })
  await api.untilPolled()
  api.addEvents({ id: 5, type: 'message', message: from('Iago', 'hi') })
  await next

  expect(api.polls).toEqual([-1, 3])
})

test('concurrent calls share a poll, and each message goes to one of them', async () => {
  const api = new FakeApi()
  const inbox = await Inbox.open(api.client)
  const received: string[] = []
  const waiting = [1, 2, 3].map(async () => received.push((await inbox.next()).content))
  api.addEvents({ id: 3, type: 'message', message: from('Iago', 'one') })
  await waiting[0]
  await api.untilPolled()
  api.addEvents({ id: 4, type: 'message', message: from('Iago', 'two') })
  await waiting[1]
  await api.untilPolled()
  api.addEvents({ id: 5, type: 'message', message: from('Iago', 'three') })
  await Promise.all(waiting)

  expect(received).toEqual(['one', 'two', 'three'])
  expect(api.polls).toEqual([-1, 3, 4])
})

test('a call that times out leaves the poll to the others, and the last call ends it', async () => {
  const api = new FakeApi()
  const inbox = await Inbox.open(api.client)
  const [short, long] = [inbox.next(undefined, { timeoutMs: 20 }), inbox.next()]
  await expect(short).rejects.toThrow('nothing came')
  api.addEvents({ id: 3, type: 'message', message: from('Iago', 'late') })

  expect(await long).toMatchObject({ content: 'late' })
  expect(api.polls).toEqual([-1])
  await expect(inbox.next(undefined, { timeoutMs: 20 })).rejects.toThrow('nothing came')
  const again = inbox.next()
  api.addEvents({ id: 4, type: 'message', message: from('Iago', 'later') })
  expect(await again).toMatchObject({ content: 'later' })
})

test('a timeout lists the messages that arrived', async () => {
  const api = new FakeApi()
  const inbox = await Inbox.open(api.client)
  api.addEvents({ id: 3, type: 'message', message: from('Iago', 'something else') })

  await expect(inbox.next(() => false, { timeoutMs: 20 })).rejects.toThrow(
    'no message that matches within 0.02 s; what came:\n  Iago in #general > hello: something else',
  )
})

test('a timeout says if no message arrived', async () => {
  const inbox = await Inbox.open(new FakeApi().client)

  await expect(inbox.next(undefined, { timeoutMs: 20 })).rejects.toThrow('within 0.02 s; nothing came')
})
