import { AppError } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import type { ScheduledMessage } from './scheduled-message.queries.ts'
import {
  changedSendFields,
  checkHasTime,
  checkInFuture,
  isReadWhenDelivered,
  mayBePassed,
  retryDelayMs,
  writeFailureNotice,
} from './scheduled-message.rules.ts'

const toChannel: ScheduledMessage = {
  id: 1,
  realmId: 1,
  senderId: 10,
  channelId: 7,
  topic: 'lunch',
  userIds: null,
  content: 'x',
  renderedContent: '<p>x</p>',
  readBySender: false,
  client: 'a client',
  deliverAt: 1_000,
  failed: false,
  version: 1,
}
const toUsers: ScheduledMessage = { ...toChannel, channelId: null, topic: '', userIds: [11, 12] }

describe('a delivery time', () => {
  test.each([
    [1_001, true],
    [1_000, false],
    [999, false],
    [-1, false],
  ])('of %d s at 1000 s is in the future: %s', (timestamp, isFine) => {
    const check = expect(() => checkInFuture(timestamp, new Date(1_000_000)))
    if (isFine) check.not.toThrow()
    else check.toThrow(AppError)
  })

  test('is required for a failed message', () => {
    expect(() => checkHasTime({ ...toChannel, failed: true }, undefined)).toThrow(AppError)
    expect(() => checkHasTime({ ...toChannel, failed: true }, 2_000)).not.toThrow()
    expect(() => checkHasTime(toChannel, undefined)).not.toThrow()
  })
})

describe('a change', () => {
  test('of the time only does not change the message', () => {
    expect(changedSendFields(toChannel, {})).toBeNull()
  })

  test.each([
    ['the text', toChannel, { content: 'y' }, { type: 'channel', to: 7, topic: 'lunch', content: 'y' }],
    ['the topic', toChannel, { topic: 'tea' }, { type: 'channel', to: 7, topic: 'tea', content: 'x' }],
    ['the channel', toChannel, { to: 8 }, { type: 'channel', to: 8, topic: 'lunch', content: 'x' }],
    ['the users', toUsers, { to: [13] }, { type: 'direct', to: [13], content: 'x' }],
    [
      'a channel message into a direct one',
      toChannel,
      { type: 'private', to: [11] },
      { type: 'private', to: [11], topic: 'lunch', content: 'x' },
    ],
    [
      'a direct message into one to a channel',
      toUsers,
      { type: 'stream', to: 7, topic: 'tea' },
      { type: 'stream', to: 7, topic: 'tea', content: 'x' },
    ],
  ] as const)('of %s leaves the rest unchanged', (_, message, changes, expected) => {
    expect(changedSendFields(message, changes as Parameters<typeof changedSendFields>[1])).toEqual(expected)
  })

  test.each([
    ['direct without recipients', { type: 'direct', content: 'y' }],
    ['channel without a channel', { type: 'channel', topic: 'tea' }],
    ['channel without a topic', { type: 'channel', to: 7 }],
  ] as const)('of the type to %s is refused', (_, changes) => {
    expect(() => changedSendFields(toUsers, changes)).toThrow(AppError)
  })
})

describe('a delivered message is read by its sender', () => {
  const toSelf = { userIds: [10], senderId: 10 }
  test.each([
    ['as the client requests', true, 'a script', toUsers, true],
    ['as the client requests', false, 'website', toUsers, false],
    ['by default from an interactive client', undefined, 'website', toUsers, true],
    ['by default not from another client', undefined, 'a script', toUsers, false],
    ['by default not to oneself', undefined, 'website', toSelf, false],
    ['to oneself if the client requests it', true, 'website', toSelf, true],
  ])('%s', (_, isReadRequested, client, message, isRead) => {
    expect(isReadWhenDelivered(isReadRequested, client, message)).toBe(isRead)
  })
})

describe('the next attempt', () => {
  test.each([
    ['on time', 0, 1_000],
    ['a little late', 10, 5_000],
    ['a day late', 86_400, 60_000],
  ])('of a message %s is soon, and never far away', (_, lateSeconds, delayMs) => {
    expect(retryDelayMs(1_000, new Date((1_000 + lateSeconds) * 1000))).toBe(delayMs)
  })
})

test.each([
  [0, false],
  [10, false],
  [11, true],
])('a message that is %d s late lets later ones pass: %s', (lateSeconds, expected) => {
  expect(mayBePassed(1_000, new Date((1_000 + lateSeconds) * 1000))).toBe(expected)
})

test('the text of a failure contains the time and the unchanged reason', () => {
  expect(writeFailureNotice(toChannel, "Channel '@**all**' does not exist")).toContain(
    "<time:1970-01-01T00:16:40.000Z> was not sent:\n\n```text\nChannel '@**all**' does not exist\n```\n",
  )
})
