import { expect, test } from 'vitest'
import { summarize } from './subscribe-summary.rules.ts'

test('groups channel names by user and by whether the subscription is new', () => {
  const channels = [
    { id: 1, name: 'one' },
    { id: 2, name: 'two' },
  ]
  const users = [{ user_id: 10 }, { user_id: 11 }]

  const summary = summarize(channels, users, [
    { channelId: 1, userId: 10 },
    { channelId: 1, userId: 11 },
    { channelId: 2, userId: 11 },
  ])

  expect(summary).toEqual({
    subscribed: { 10: ['one'], 11: ['one', 'two'] },
    already_subscribed: { 10: ['two'] },
  })
})
