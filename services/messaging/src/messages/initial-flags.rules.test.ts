import { expect, test } from 'vitest'
import { flagsByUser } from './initial-flags.rules.ts'

test('collects all flags of a user', () => {
  const notified = { mentionedUserIds: [1, 2], alertedUserIds: [2], participantIds: [2], calledBotIds: [3] }
  expect(flagsByUser([1], notified)).toEqual({
    1: ['read', 'mentioned'],
    2: ['mentioned', 'has_alert_word', 'topic_wildcard_mentioned', 'wildcard_mentioned'],
    3: ['mentioned'],
  })
})
