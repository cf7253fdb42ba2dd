import { createLog, createPool, type Pool } from '@tms/service-kit'
import { startTestDatabases, type TestDatabases } from '@tms/test-kit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { StoredMessage } from '../../services/messaging/src/kernel/messages/new-message.ts'
import { storeGroup } from '../../services/messaging/src/messages/groups/store-group.queries.ts'

const VARIANT = { isDirect: true, isReadBySender: false, skipsLocked: true, waitMs: 100 }
const SENDER = 7

let databases: TestDatabases
let db: Pool
beforeAll(async () => {
  databases = await startTestDatabases(process.env)
  db = createPool(databases.urls.messaging, 4, createLog('test', 'silent'))
})
afterAll(async () => {
  await db.end()
  await databases.stop()
})

let recipientIds: number[]
beforeEach(async () => {
  const { rows } = await db.query<{ id: number }>(
    'insert into recipients (realm_id) select 1 from generate_series(1, 2) returning id',
  )
  recipientIds = rows.map(({ id }) => id)
})

const aMessage = (recipient: number, content: string, key: string | null = null): StoredMessage => ({
  ...{ realmId: 1, recipientId: recipientIds[recipient] ?? 0, channelId: null, senderId: SENDER },
  ...{ topic: '', topicKey: '', content, renderedContent: content, sentAt: new Date(), client: 'test' },
  ...{
    mentionsChannel: false,
    mentionsTopic: false,
    readerIds: [],
    mentionedUserIds: [],
    alertedUserIds: [],
  },
  ...{ event: 'messaging.message_sent.v1', requestId: null, payloadWithoutId: '{}', traceparent: null },
  ...{
    version: null,
    joins: null,
    revision: null,
    key: key === null ? null : Buffer.from(key),
    request: Buffer.from('request'),
  },
  automaticVisibility: null,
})
const store = (...messages: StoredMessage[]) => storeGroup(db, messages, VARIANT)
const stored = async () => {
  const { rows } = await db.query<{ content: string }>(
    'select content from messages where recipient_id = any($1) order by id',
    [recipientIds],
  )
  return rows.map(({ content }) => content)
}

/** Runs something while another transaction has done this and has not ended. */
const during = async (statement: string, values: unknown[], work: () => Promise<void>): Promise<void> => {
  const other = await db.connect()
  await other.query('begin')
  await other.query(statement, values)
  await work()
  await other.query('rollback')
  other.release()
}

test('a message whose key exists is a repetition, and the others of its group are stored', async () => {
  await store(aMessage(0, 'first', 'key'))
  expect(await store(aMessage(0, 'again', 'key'), aMessage(1, 'beside'))).toEqual([
    'repeated',
    { id: expect.any(Number) },
  ])
  expect(await stored()).toEqual(['first', 'beside'])
})

test('a group waits a moment for a key that another transaction stores, and nothing of it is stored', async () => {
  const insert = "insert into idempotency_keys (user_id, key, request, message_id) values ($1, $2, '', 0)"
  await during(insert, [SENDER, Buffer.from('held')], async () => {
    const group = store(aMessage(0, 'with the key', 'held'), aMessage(1, 'beside'))
    await expect(group).rejects.toMatchObject({ code: '55P03' })
  })
  expect(await stored()).toEqual([])
})

test('a group passes over a recipient whose lock another transaction holds', async () => {
  await during('select from recipients where id = $1 for no key update', [recipientIds[0]], async () => {
    expect(await store(aMessage(0, 'locked'), aMessage(1, 'free'))).toEqual([
      'passed over',
      { id: expect.any(Number) },
    ])
  })
  expect(await stored()).toEqual(['free'])
})

test('flags of users are stored with the message that they are for', async () => {
  const [mentioned, alerted, both] = [21, 22, 23]
  const outcomes = await store(
    aMessage(0, 'for nobody'),
    { ...aMessage(0, 'for some'), mentionedUserIds: [mentioned, both], alertedUserIds: [alerted, both] },
    { ...aMessage(1, 'for one'), mentionedUserIds: [mentioned] },
  )
  const [, some, one] = outcomes.map((outcome) => (typeof outcome === 'string' ? null : outcome.id))
  const { rows } = await db.query(
    `select message_id as id, user_id as "userId", is_mentioned as "isMentioned", has_alert_word as "hasAlertWord"
       from message_flags
      where message_id >= $1
      order by message_id, user_id`,
    [some],
  )
  expect(rows).toEqual([
    { id: some, userId: mentioned, isMentioned: true, hasAlertWord: false },
    { id: some, userId: alerted, isMentioned: false, hasAlertWord: true },
    { id: some, userId: both, isMentioned: true, hasAlertWord: true },
    { id: one, userId: mentioned, isMentioned: true, hasAlertWord: false },
  ])
})

test('a message that matters more to some subscribers is checked again once a user has joined', async () => {
  await db.query('update recipients set joins = joins + 1 where id = $1', [recipientIds[0]])
  const mentioning = { joins: 0, mentionedUserIds: [21] }
  expect(
    await store({ ...aMessage(0, 'mentions'), ...mentioning }, aMessage(0, 'beside'), {
      ...aMessage(1, 'elsewhere'),
      ...mentioning,
    }),
  ).toEqual(['changed', { id: expect.any(Number) }, { id: expect.any(Number) }])
  expect(await stored()).toEqual(['beside', 'elsewhere'])
})
