import { createLog, createPool, type Pool, transact } from '@tms/service-kit'
import { startTestDatabases, type TestDatabases } from '@tms/test-kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { replaceMentionFlags } from '../../services/messaging/src/edits/message-receivers.queries.ts'
import type { StoredMessage } from '../../services/messaging/src/kernel/messages/new-message.ts'
import { storeRow } from '../../services/messaging/src/messages/store-message.queries.ts'
import { listTopicPolicies } from '../../services/messaging/src/topics/topic-policy.queries.ts'

/** As many as a group of a large organization has. */
const USERS = 100_000
const userIds = Array.from({ length: USERS }, (_, index) => index + 1)
/** PostgreSQL plans a prepared statement anew so often, and then may keep a plan for any parameters. */
const PLANNED_ANEW = 6

/** A message that the other tests don't store. */
const EDITED = 1_000

let databases: TestDatabases
let db: Pool
beforeAll(async () => {
  databases = await startTestDatabases(process.env)
  db = createPool(databases.urls.messaging, 1, createLog('test', 'silent'))
})
afterAll(async () => {
  await db.end()
  await databases.stop()
})

// Comparing each user with each takes half a minute, or minutes; otherwise these take a few seconds.

/** How many users have which flags of a message. */
async function countFlags(messageId: number | null) {
  const { rows } = await db.query(
    `select is_mentioned, has_alert_word, count(*)::int as users
       from message_flags
      where message_id = $1
      group by 1, 2
      order by 1, 2`,
    [messageId],
  )
  return rows
}

test('a message that mentions very many is stored at once, whatever the plan', async () => {
  const { rows } = await db.query<{ id: number }>('insert into recipients (realm_id) values (1) returning id')
  const message: StoredMessage = {
    ...{ realmId: 1, recipientId: rows[0]?.id ?? 0, channelId: null, senderId: 7, topic: '', topicKey: '' },
    ...{ content: 'hello', renderedContent: 'hello', sentAt: new Date(), client: 'test', version: null },
    ...{ mentionsChannel: false, mentionsTopic: false, readerIds: [], alertedUserIds: [2, USERS + 1] },
    ...{ event: 'messaging.message_sent.v1', requestId: null, payloadWithoutId: '{}', traceparent: null },
    ...{
      joins: null,
      revision: null,
      key: null,
      request: null,
      automaticVisibility: null,
      mentionedUserIds: [1, 2],
    },
  }
  for (let turn = 0; turn < PLANNED_ANEW; turn++) await storeRow(db, message)
  const id = await storeRow(db, { ...message, mentionedUserIds: userIds })
  expect(await countFlags(id)).toEqual([
    { is_mentioned: false, has_alert_word: true, users: 1 },
    { is_mentioned: true, has_alert_word: false, users: USERS - 1 },
    { is_mentioned: true, has_alert_word: true, users: 1 },
  ])
})

test('an edit of a message that mentions very many replaces their flags at once', async () => {
  const replace = (messageId: number, mentionedUserIds: readonly number[]) =>
    transact(db, (tx) => replaceMentionFlags(tx, messageId, { mentionedUserIds, alertedUserIds: [2] }))
  for (let turn = 0; turn < PLANNED_ANEW; turn++) await replace(EDITED - 1, [1, 2])
  await replace(EDITED, userIds)
  await replace(EDITED, userIds.slice(1))
  expect(await countFlags(EDITED)).toEqual([
    { is_mentioned: false, has_alert_word: false, users: 1 },
    { is_mentioned: true, has_alert_word: false, users: USERS - 2 },
    { is_mentioned: true, has_alert_word: true, users: 1 },
  ])
})

test('policies of very many for a topic are read at once, also after it got many followers', async () => {
  const topic = { channelId: 1, topic: 'plans' }
  // Without channels and users: the statement doesn't look for them.
  await db.query('set session_replication_role = replica')
  await db.query(
    `insert into subscriptions (channel_id, user_id, is_active, received, color)
     select 1, user_id, true, '{}', '#ffffff' from unnest($1::bigint[]) as user_id`,
    [userIds],
  )
  await db.query('analyze')
  for (let turn = 0; turn < PLANNED_ANEW; turn++) await listTopicPolicies(db, [1, 2], topic)
  await db.query(
    `insert into user_topics (user_id, channel_id, topic_name, topic_key, visibility_policy)
     select user_id, 1, 'plans', 'plans', 3 from unnest($1::bigint[]) as user_id`,
    [userIds],
  )
  const policies = await listTopicPolicies(db, userIds, topic)
  expect([...policies.values()].filter(({ current }) => current === 3)).toHaveLength(USERS)
})
