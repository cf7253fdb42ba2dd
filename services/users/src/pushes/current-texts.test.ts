import { AppError } from '@tms/contracts'
import type { InternalClient } from '@tms/service-kit'
import { expect, test } from 'vitest'
import type { Notice } from '../kernel/pushes/push.ts'
import { createNoticeRenewal } from './current-texts.ts'

const noticeOf = (messageId: number) =>
  ({
    kind: 'message',
    message: { message_id: messageId, content: 'as it was' },
    unreadCount: 1,
  }) as unknown as Notice
const notice = noticeOf(7)

interface Asked {
  readonly user_id: number
  readonly message_id: number
}

/** Messaging has `answer` for each message; `calls` are what it was asked for. */
function open(answer: (asked: Asked) => string | null) {
  const calls: (readonly Asked[])[] = []
  const call = (async (_: unknown, { messages }: { readonly messages: readonly Asked[] }) => {
    calls.push(messages)
    const texts = messages.map((asked) => ({ ...asked, content: answer(asked) }))
    return { texts: texts.filter(({ content }) => content !== null) }
  }) as unknown as InternalClient
  return { renew: createNoticeRenewal({ call }), calls }
}

test('what was handed over just now is sent as it is', async () => {
  const { renew, calls } = open(() => null)
  expect(await renew(1, notice, 1)).toBe(notice)
  expect(calls).toEqual([])
})

test('what has waited has the text that the message has now', async () => {
  const { renew } = open(() => 'as it is')
  expect(await renew(1, notice, 10)).toMatchObject({ message: { message_id: 7, content: 'as it is' } })
})

test('what comes up during a call is asked for by one other, each for its user', async () => {
  const { renew, calls } = open(({ user_id, message_id }) => `${message_id} of ${user_id}`)
  const renewed = await Promise.all([1, 2, 3].map((userId) => renew(userId, noticeOf(userId * 10), 10)))
  expect(renewed.map((one) => one?.kind === 'message' && one.message.content)).toEqual([
    ...['10 of 1', '20 of 2', '30 of 3'],
  ])
  expect(calls.map(({ length }) => length)).toEqual([1, 2])
})

test('what the user may not read any more is not sent', async () => {
  const { renew } = open(({ user_id }) => (user_id === 1 ? 'as it is' : null))
  expect(await Promise.all([1, 2].map((userId) => renew(userId, notice, 10)))).toMatchObject([
    { kind: 'message' },
    null,
  ])
})

test('without an answer nothing is sent, and it is asked again', async () => {
  let isDown = true
  const { renew } = open(() => {
    if (isDown) throw new AppError('SERVICE_UNAVAILABLE')
    return 'as it is'
  })
  for (const result of await Promise.allSettled([1, 2].map((userId) => renew(userId, notice, 10))))
    expect(result).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } })
  isDown = false
  expect(await renew(1, notice, 10)).toMatchObject({ message: { content: 'as it is' } })
})

test('a release of messaging that does not know the call has it sent as it was', async () => {
  const { renew } = open(() => {
    throw new AppError('NOT_FOUND')
  })
  expect(await renew(1, notice, 10)).toBe(notice)
})
