import { expect, test } from '@jest/globals'
import type { Answer, Call, Method } from './call-api.ts'
import { Inbox } from './inbox.ts'

const from = (sender: string, content: string) => ({
  sender_full_name: sender,
  content,
  subject: 'hello',
  display_recipient: 'general',
})

/** An API that has these events, in these answers, and then says nothing any more until it isn't asked any longer. */
function apiWith(...batches: Record<string, unknown>[][]) {
  const polls: (Record<string, unknown> | undefined)[] = []
  const ask = async (method: Method, path: string, { parameters, signal }: Call = {}): Promise<Answer> => {
    if (method === 'POST' && path === '/register') return { queue_id: 'q', last_event_id: -1 }
    polls.push(parameters)
    const events = batches.shift()
    if (events) return { events }
    return new Promise((_resolve, reject) => {
      if (signal?.aborted) reject(new Error('aborted'))
      signal?.addEventListener('abort', () => reject(new Error('aborted')))
    })
  }
  return { ask, polls }
}

test('messages that do not fit stay for whoever asks for them later', async () => {
  const [hi, other] = [from('Iago', 'hi'), from('Emilia', 'other')]
  const { ask } = apiWith(
    [{ id: 3, type: 'message', message: hi }],
    [{ id: 4, type: 'message', message: other }],
  )
  const inbox = await Inbox.open(ask)

  expect(await inbox.next(({ sender_full_name }) => sender_full_name === 'Emilia')).toBe(other)
  expect(await inbox.next()).toBe(hi)
})

test('each poll goes on where the last ended, heartbeats included', async () => {
  const { ask, polls } = apiWith(
    [{ id: 3, type: 'heartbeat' }],
    [{ id: 5, type: 'message', message: from('Iago', 'hi') }],
  )
  await (await Inbox.open(ask)).next()

  expect(polls).toMatchObject([
    { queue_id: 'q', last_event_id: -1 },
    { queue_id: 'q', last_event_id: 3 },
  ])
})

test('what came instead is told when nothing fits in time', async () => {
  const { ask } = apiWith([{ id: 3, type: 'message', message: from('Iago', 'something else') }])
  const inbox = await Inbox.open(ask)

  await expect(inbox.next(() => false, { timeoutMs: 20 })).rejects.toThrow(
    'no message that fits within 0.02 s; what came:\n  Iago in #general > hello: something else',
  )
})

test('that nothing came is told, too', async () => {
  const inbox = await Inbox.open(apiWith().ask)

  await expect(inbox.next(undefined, { timeoutMs: 20 })).rejects.toThrow('within 0.02 s; nothing came')
})
