import type { Pool } from '@tms/service-kit'
import { expect, test } from 'vitest'
import type { Context } from '../../kernel/context.ts'
import type { TopicQuestion } from '../../kernel/messages/posting-target.queries.ts'
import type { CheckedMessage } from '../checked-message.ts'
import { prepareAgain } from '../prepare-message.ts'
import type { MessageRequest } from '../send-request.ts'
import { createTopicTargets } from './topic-targets.ts'

const aRow = {
  id: 5,
  recipientId: 6,
  isSubscribed: true,
  isStarted: true,
  isEmpty: false,
  version: 1,
  revision: '7 0 0',
}
const question: TopicQuestion = { user: { realmId: 1, userId: 2 }, reference: { id: 5 }, topic: 'lunch' }

/** Targets that are read from these rows, one after the other. */
const targetsOf = (...rows: (typeof aRow | null)[]) => {
  const query = async () => ({ rows: [rows.shift()].filter(Boolean) })
  return createTopicTargets({ query } as unknown as Pool, 20)
}

test('recalls what was found for the same sender, channel and topic, with a revision to compare', async () => {
  const targets = targetsOf(aRow)
  expect(targets.recall(question)).toBeNull()

  expect(await targets.find(question)).toMatchObject({ recipientId: 6, revision: null })

  expect(targets.recall(question)).toMatchObject({ recipientId: 6, revision: '7 0 0' })
  const others = [
    { ...question, topic: 'Lunch' },
    { ...question, user: { realmId: 1, userId: 3 } },
    { ...question, reference: { id: 6 } },
    { ...question, reference: { name: '5' } },
  ]
  for (const other of others) expect(targets.recall(other)).toBeNull()
})

test.each([
  ['a channel that is no longer found', null],
  ['a sender who is no longer subscribed', { ...aRow, isSubscribed: false }],
  ['a topic without messages', { ...aRow, isStarted: false }],
  ['a channel without messages', { ...aRow, isEmpty: true }],
])('does not recall %s', async (_, row) => {
  const targets = targetsOf(aRow, row)
  await targets.find(question)
  await targets.find(question)
  expect(targets.recall(question)).toBeNull()
})

test('a message whose channel has changed renews what is recalled for the next one, by a name too', async () => {
  const targets = targetsOf(aRow, { ...aRow, version: 2 })
  const byName = { ...question, reference: { name: 'general' } }
  await targets.find(byName)
  const recalled = targets.recall(byName)

  const request = { sender: byName.user } as MessageRequest
  const checked = { target: recalled, rendered: { mentionedGroupIds: [] } } as unknown as CheckedMessage
  const again = await prepareAgain({ topicTargets: targets } as Context, request, checked)

  expect(again.target).toMatchObject({ version: 2, revision: null })
  expect(targets.recall(byName)).toMatchObject({ version: 2 })
})
