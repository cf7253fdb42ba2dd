import { expect, test } from 'vitest'
import { selectNotified } from './notified-users.rules.ts'

const nobody = {
  mentionedUserIds: [],
  alertedUserIds: [],
  participantIds: [],
  callableBotIds: [],
  webhookIds: [],
}

test('notifies mentioned users and users with alert words who receive the message', () => {
  const candidates = { ...nobody, mentionedUserIds: [1, 2, 3], alertedUserIds: [2, 4, 5] }
  const notified = selectNotified(candidates, [1, 2, 4])
  expect(notified).toMatchObject({ mentionedUserIds: [1, 2], alertedUserIds: [2, 4] })
})

test('a mentioned bot that is not in the channel receives the message, and is not listed twice', () => {
  const candidates = { ...nobody, mentionedUserIds: [7, 8], callableBotIds: [7, 8] }
  expect(selectNotified(candidates, [8])).toMatchObject({ mentionedUserIds: [8], calledBotIds: [7] })
})

test('calls webhooks that receive the message, as members or as mentioned bots', () => {
  const candidates = { ...nobody, mentionedUserIds: [6, 7, 8], callableBotIds: [7], webhookIds: [6, 7, 8] }
  expect(selectNotified(candidates, [8]).webhookIds).toEqual([7, 8])
})
