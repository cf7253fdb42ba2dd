import { AppError } from '@tms/contracts'
import type { InternalClient } from '@tms/service-kit'
import { expect, test } from 'vitest'
import type { Notice } from '../kernel/pushes/push.ts'
import { createNoticeRenewal } from './current-texts.ts'

const notice = {
  kind: 'message',
  message: { message_id: 7, content: 'as it was' },
  unreadCount: 1,
} as unknown as Notice

/** Messaging says `answer` each time; returns how often it was asked too. */
function open(answer: () => { message_id: number; content: string }[]) {
  let [calls, nowMs] = [0, 0]
  const call = (async () => {
    calls++
    return { texts: answer() }
  }) as unknown as InternalClient
  const renew = createNoticeRenewal({ call, now: () => new Date(nowMs) })
  return {
    renew: (waited: number) => renew(1, notice, waited),
    calls: () => calls,
    wait: (ms: number) => {
      nowMs += ms
    },
  }
}

test('what was handed over just now is sent as it is', async () => {
  const { renew, calls } = open(() => [])
  expect(await renew(1)).toBe(notice)
  expect(calls()).toBe(0)
})

test('what has waited has the text that the message has now, which is read once for all who get it', async () => {
  const { renew, calls, wait } = open(() => [{ message_id: 7, content: 'as it is' }])
  for (const seconds of [10, 20, 30])
    expect(await renew(seconds)).toMatchObject({ message: { content: 'as it is' } })
  expect(calls()).toBe(1)
  wait(6_000)
  await renew(10)
  expect(calls()).toBe(2)
})

test('a message that was deleted is not sent', async () => {
  expect(await open(() => []).renew(10)).toBeNull()
})

test('without an answer nothing is sent, and it is asked again', async () => {
  const { renew, calls } = open(() => {
    throw new AppError('SERVICE_UNAVAILABLE')
  })
  for (let turn = 0; turn < 2; turn++)
    await expect(renew(10)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(calls()).toBe(2)
})

test('a release of messaging that does not know the call has it sent as it was', async () => {
  const { renew } = open(() => {
    throw new AppError('NOT_FOUND')
  })
  expect(await renew(10)).toBe(notice)
})
