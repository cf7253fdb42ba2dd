import { expect, test } from 'vitest'
import { summarize } from './subscribe-summary.rules.ts'

test('groups channel names by user and by whether the subscription is new', () => {
  const channels = [
    { id: 1, name: 'one' },
    { id: 2, name: 'two' },
  ]
  const users = [
    { user_id: 10, email: 'ada@example.com' },
    { user_id: 11, email: '__proto__' },
  ]

  const summary = summarize(channels, users, [
    { channelId: 1, userId: 10 },
    { channelId: 1, userId: 11 },
    { channelId: 2, userId: 11 },
  ])

  expect(Object.entries(summary.subscribed)).toEqual([
    ['ada@example.com', ['one']],
    ['__proto__', ['one', 'two']],
  ])
  expect(summary.already_subscribed).toEqual({ 'ada@example.com': ['two'] })
})
