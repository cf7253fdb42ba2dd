import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Pool, Registry } from '@tms/service-kit'
import { expect, test } from 'vitest'
import type { StoredMessage } from '../../kernel/messages/new-message.ts'
import { createMessageStore } from './message-store.ts'

const SOON = 10_000

test('the transaction of a message belongs to the request of that message', async () => {
  const request = new AsyncLocalStorage<string>()
  const store = createMessageStore({} as Pool, 20, new Registry())
  const send = (name: string) =>
    request.run(name, () =>
      store.inTurn({ recipientId: 1, senderId: 1, key: null, until: performance.now() + SOON }, async () => {
        await nextTurn()
        return request.getStore()
      }),
    )
  expect(await Promise.all(['alice', 'bob', 'carol'].map(send))).toEqual(['alice', 'bob', 'carol'])
})

/** A message to a channel, one of two that are sent at once. */
const aMessage = (recipientId: number) =>
  ({
    ...{ recipientId, senderId: 1, channelId: recipientId, key: null, content: '', renderedContent: '' },
    ...{
      payloadWithoutId: '',
      readerIds: [],
      mentionedUserIds: [],
      alertedUserIds: [],
      version: 1,
      revision: null,
    },
  }) as unknown as StoredMessage

// What was certainly not stored is stored message by message; these statements would then succeed.
test.each([
  { code: '22021', answers: [7, 7] },
  { code: '40P01', answers: [7, 7] },
  { code: '54000', answers: [7, 7] },
  { code: '55P03', answers: [7, 7] },
  { code: '57014', answers: [7, 7] },
  { code: '40003', answers: ['40003', '40003'] },
  { code: '57P01', answers: ['57P01', '57P01'] },
  { code: 'ECONNRESET', answers: ['ECONNRESET', 'ECONNRESET'] },
  { code: '53100', answers: ['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'] },
])('a group that fails with $code is answered with $answers', async ({ code, answers }) => {
  const statements: string[] = []
  const query = async ({ name }: { name: string }) => {
    statements.push(name)
    if (statements.length === 1) throw Object.assign(new Error('failed'), { code })
    return { rows: [{ id: 7 }] }
  }
  const store = createMessageStore({ query } as unknown as Pool, 20, new Registry())
  const sent = [1, 2].map((recipientId) => store.store(aMessage(recipientId), performance.now() + SOON))
  const outcomes = await Promise.allSettled(sent)
  expect(outcomes.map((outcome) => ('value' in outcome ? outcome.value : outcome.reason.code))).toEqual(
    answers,
  )
  expect(statements).toHaveLength(answers.some((answer) => answer === 7) ? 3 : 1)
})

test('a message that mentions very many is stored alone: it would keep those beside it waiting', async () => {
  const statements: string[] = []
  const query = async ({ name }: { name: string }) => {
    statements.push(name)
    return { rows: [1, 2, 3].map((ordinal) => ({ ordinal, id: ordinal, isRepeated: false })) }
  }
  const store = createMessageStore({ query } as unknown as Pool, 20, new Registry())
  const send = (recipientId: number, mentions: number) =>
    store.store(
      { ...aMessage(recipientId), mentionedUserIds: Array.from({ length: mentions }, (_, index) => index) },
      performance.now() + SOON,
    )
  await Promise.all([send(1, 0), send(2, 1_001), send(3, 1_000)])
  expect(statements).toEqual([
    expect.stringMatching(/^store-messages-flags/),
    expect.stringMatching(/^store-message-flags/),
  ])
})

test('a lone message with a target that was recalled is checked again at once, and its recipient stays as it is', async () => {
  const statements: string[] = []
  const query = async ({ name }: { name: string }) => {
    statements.push(name)
    return { rows: name.includes('-same') ? [] : [{ id: 7 }] }
  }
  const store = createMessageStore({ query } as unknown as Pool, 20, new Registry())
  const until = performance.now() + SOON

  expect(await store.store({ ...aMessage(1), revision: '7 0 0' }, until)).toBeNull()
  expect(await store.store(aMessage(1), until)).toBe(7)

  expect(statements.map((name) => name.includes('-free'))).toEqual([true, true])
})
