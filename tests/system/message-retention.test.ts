import { defaultChannelPermissions } from '@tms/contracts'
import { createLog, createPool, type Pool, publisherOf, transact } from '@tms/service-kit'
import { startTestDatabases, type TestDatabases } from '@tms/test-kit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { insertChannels } from '../../services/messaging/src/channels/new-channel.queries.ts'
import type { Context } from '../../services/messaging/src/kernel/context.ts'
import type { MessageSentWithoutId } from '../../services/messaging/src/messages/message-sent-event.ts'
import { storeMessage } from '../../services/messaging/src/messages/store-message.queries.ts'
import { listExpiringRecipients } from '../../services/messaging/src/retention/expired-message.queries.ts'
import { startRetention } from '../../services/messaging/src/retention/start-retention.ts'
import { until } from './support/until.ts'

const log = createLog('test', 'silent')
const DAY_MS = 86_400_000
const REALM = 1
const USERS = [10, 11]

interface Target {
  readonly recipientId: number
  readonly channelId: number | null
}

let databases: TestDatabases
let db: Pool
beforeAll(async () => {
  databases = await startTestDatabases(process.env)
  db = createPool(databases.urls.messaging, 10, log)
}, 180_000)
afterAll(async () => {
  await db.end()
  await databases.stop()
})
beforeEach(() => db.query('delete from outbox'))

const nothing = { wake: () => {} }
const contextOf = (pool: Pool): Context =>
  ({
    ...{ db: pool, publish: publisherOf('messaging'), blobDeletion: nothing },
    now: () => new Date(),
  }) as unknown as Context

/** Sets the retention of the organization in days; -1 is unlimited. */
const setRetention = (days: number) =>
  db.query(
    `insert into known_realms (realm_id, version, projection)
     values ($1, 1, jsonb_build_object('message_retention_days', $2::int))
         on conflict (realm_id) do update set projection = excluded.projection`,
    [REALM, days],
  )

let channels = 0
async function newChannel(messageRetentionDays: number | null): Promise<Target> {
  const name = `channel ${++channels}`
  const [created] = await transact(db, (tx) =>
    insertChannels(tx, [{ name, description: '', renderedDescription: '' }], {
      ...{ realmId: REALM, creatorId: 10, inviteOnly: true, isWebPublic: false },
      ...{ historyPublicToSubscribers: true, permissions: defaultChannelPermissions, isDefault: false },
      messageRetentionDays,
    }),
  )
  if (!created) throw new Error('there is no channel')
  return { recipientId: created.recipientId, channelId: created.id }
}

async function newConversation(): Promise<Target> {
  const { rows } = await db.query<{ id: number }>(
    `with place as (insert into recipients (realm_id) values ($1) returning id)
     insert into conversations (recipient_id, realm_id, user_ids)
     select id, $1, $2 from place
     returning recipient_id as id`,
    [REALM, USERS],
  )
  return { recipientId: rows[0]?.id ?? 0, channelId: null }
}

/** Sends a message as if this number of days ago. */
const sendBefore = (days: number, target: Target, topic = 'a topic'): Promise<number> =>
  transact(db, (tx) =>
    storeMessage(
      tx,
      {
        message: {
          ...target,
          ...{ realmId: REALM, senderId: 10, content: 'x', renderedContent: '<p>x</p>', client: 'test' },
          ...{ mentionsChannel: false, mentionsTopic: false },
          ...{ readerIds: [], mentionedUserIds: [], alertedUserIds: [] },
          topic: target.channelId === null ? '' : topic,
          sentAt: new Date(Date.now() - days * DAY_MS),
        },
        event: { message: { content: 'x' } } as MessageSentWithoutId,
      },
      { requestId: null },
    ),
  )

const areThere = async (...ids: number[]): Promise<boolean[]> => {
  const { rows } = await db.query<{ id: number }>('select id from messages where id = any($1)', [ids])
  return ids.map((id) => rows.some((row) => Number(row.id) === id))
}

/** Runs the deletion at two replicas until nothing is left to delete; returns the delivered events. */
async function expire(): Promise<{ message_ids: number[]; channel: object | null; user_ids: number[] }[]> {
  const loops = [startRetention(contextOf(db), log), startRetention(contextOf(db), log)]
  await until(async () => (await listExpiringRecipients(db, new Date())).length === 0)
  await Promise.all(loops.map((loop) => loop.stop()))
  const { rows } = await db.query(
    `select payload from outbox where event = 'messaging.messages_deleted.v1' order by id`,
  )
  return rows.map(({ payload }) => JSON.parse(payload))
}

test('messages are deleted when they exceed the retention of the organization, in every channel and conversation', async () => {
  await setRetention(30)
  const [channel, conversation] = [await newChannel(null), await newConversation()]
  const [old, older] = [await sendBefore(31, channel), await sendBefore(31, channel, 'another topic')]
  const [young, direct] = [await sendBefore(29, channel), await sendBefore(31, conversation)]
  const kept = await sendBefore(0, conversation)

  const deletions = await expire()

  expect(await areThere(old, older, young, direct, kept)).toEqual([false, false, true, false, true])
  expect(deletions).toMatchObject([
    { message_ids: [old], channel: { id: channel.channelId, topic: 'a topic' }, user_ids: [] },
    { message_ids: [older], channel: { id: channel.channelId, topic: 'another topic' }, user_ids: [] },
    { message_ids: [direct], channel: null, user_ids: USERS },
  ])
})

test('the retention of a channel overrides it, longer or shorter', async () => {
  await setRetention(30)
  const [short, forGood, long] = [await newChannel(1), await newChannel(-1), await newChannel(60)]
  const messages = [
    await sendBefore(2, short),
    await sendBefore(1_000, forGood),
    await sendBefore(59, long),
    await sendBefore(0, short),
  ]

  await expire()

  expect(await areThere(...messages)).toEqual([false, true, true, true])
})

test('an organization without retention still has channels with one', async () => {
  await setRetention(-1)
  const [short, other] = [await newChannel(7), await newChannel(null)]
  const messages = [await sendBefore(8, short), await sendBefore(8, other)]

  await expire()

  expect(await areThere(...messages)).toEqual([false, true])
})

test('the longest retention that can be set keeps messages, and stops that of no other channel', async () => {
  await setRetention(2 ** 31 - 1)
  const [short, long] = [await newChannel(7), await newChannel(2 ** 31 - 1)]
  const messages = [await sendBefore(8, short), await sendBefore(8_000, long)]

  await expire()

  expect(await areThere(...messages)).toEqual([false, true])
})

test('more messages than one batch are all deleted, and each is delivered once', async () => {
  await setRetention(-1)
  const channel = await newChannel(7)
  const ids: number[] = []
  for (let i = 0; i < 230; i++) ids.push(await sendBefore(8, channel))

  const deletions = await expire()

  expect(deletions.flatMap(({ message_ids }) => message_ids)).toEqual(ids)
  const { rows } = await db.query('select first_message_id from recipients where id = $1', [
    channel.recipientId,
  ])
  expect(rows).toEqual([{ first_message_id: null }])
})
