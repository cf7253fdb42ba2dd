import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { type MessagingRecord, messagingRecord } from '@tms/contracts'
import { createLog, createPool, inTransaction, type Pool, type Tx } from '@tms/service-kit'
import { startTestDatabases, type TestDatabases } from '@tms/test-kit'
import type { Context } from '../../services/messaging/src/context.ts'
import { exportRecords } from '../../services/messaging/src/exports/export-records.ts'
import { importOrganization, removeImport } from '../../services/messaging/src/exports/import-organization.ts'
import type { ExportScope } from '../../services/messaging/src/exports/record-kind.ts'
import { recordKinds } from '../../services/messaging/src/exports/record-kinds.ts'
import { openImports } from '../../services/messaging/src/exports/unopened-import.queries.ts'
import { findBacklog, takeDue } from '../../services/messaging/src/scheduled-messages/due-message.queries.ts'
import { insertOrganization, insertPeople } from './support/messaging-organization.ts'
import { idsOf, secrets } from './support/messaging-rows.ts'

const log = createLog('test', 'silent')
const REALM = 1
const BASE = 10_000
/** Another organization beside it, in the source. */
const OTHER = { realmId: 2, base: 500 }
const ids = idsOf(BASE)

/** What is made anew, or belongs to nobody, or is told by other services. */
const NOT_EXPORTED = [
  ...[
    'channel_traffic',
    'doomed_blobs',
    'guest_sight_changes',
    'search_progress',
    'sent_keys',
    'unopened_imports',
  ],
  ...['known_groups', 'known_realms', 'known_users', 'outbox', 'outbox_relay', 'projection_position'],
  ...['migrations', 'shared_migrations'],
]

jest.setTimeout(60_000)
let source: { databases: TestDatabases; db: Pool }
let target: { databases: TestDatabases; db: Pool }
beforeAll(async () => {
  ;[source, target] = await Promise.all([open(), open()])
  await insertOrganization(source.db, REALM, BASE)
}, 240_000)
afterAll(async () => {
  for (const { databases, db } of [source, target]) {
    await db.end()
    await databases.stop()
  }
}, 60_000)
afterEach(async () => {
  for (const realmId of [REALM, OTHER.realmId]) await removeOrganization(target.db, realmId)
  await target.db.query('delete from doomed_blobs')
})

async function open(): Promise<{ databases: TestDatabases; db: Pool }> {
  const databases = await startTestDatabases(process.env)
  return { databases, db: createPool(databases.urls.messaging, 5, log) }
}

/** Users and realm, from which messaging learns who is in the organization: it is closed. */
const context = () => {
  const nothing = { wake: () => {} }
  const part = {
    ...{ db: target.db, now: () => new Date(), guestSights: nothing, blobDeletion: nothing },
    learnOrganization: async (realmId: number) => {
      await insertPeople(target.db, realmId, [ids.alice, ids.bob, ids.carol])
      return { is_active: false }
    },
  }
  return part as unknown as Context
}

/** Removes an organization, however it has come there. */
async function removeOrganization(db: Pool, realmId: number): Promise<void> {
  await db.query('insert into unopened_imports values ($1) on conflict do nothing', [realmId])
  await removeImport({ ...context(), db }, realmId)
}

const inSnapshot = <T>(db: Pool, read: (tx: Tx) => Promise<T>): Promise<T> =>
  inTransaction(db, read, 'begin isolation level repeatable read read only')

const exportAll = (db: Pool, scope: ExportScope, realmId = REALM): Promise<MessagingRecord[]> =>
  inSnapshot(db, async (tx) => {
    const records: MessagingRecord[] = []
    for await (const record of exportRecords(tx, realmId, scope)) records.push(record)
    return records
  })

async function* streamOf(records: readonly MessagingRecord[]): AsyncGenerator<MessagingRecord> {
  for (const record of records) yield messagingRecord.parse(JSON.parse(JSON.stringify(record)))
}

const importAll = (records: readonly MessagingRecord[]) =>
  importOrganization(context(), REALM, streamOf(records))

/** The rows of every table that an export is about. */
async function dump(db: Pool): Promise<Record<string, Record<string, unknown>[]>> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select table_name as name
       from information_schema.tables
      where table_schema = current_schema()
        and table_type = 'BASE TABLE'
        and table_name <> all($1)
      order by 1`,
    [NOT_EXPORTED],
  )
  const dumped: Record<string, Record<string, unknown>[]> = {}
  for (const { name } of tables) {
    const { rows } = await db.query(`select to_jsonb(t) as row from ${name} as t order by 1`)
    dumped[name] = rows.map(({ row }) => row)
  }
  return dumped
}

describe('an export of everything', () => {
  test('is made of an organization that has something in every column', async () => {
    for (const [table, rows] of Object.entries(await dump(source.db))) {
      const columns = Object.keys(rows[0] ?? { 'no row': null })
      const empty = columns.filter((column) => rows.every((row) => row[column] === null))
      expect({ table, empty }).toEqual({ table, empty: [] })
    }
    const kinds = new Set((await exportAll(source.db, 'full')).map(({ kind }) => kind))
    expect([...kinds]).toEqual(Object.keys(recordKinds))
  })

  test('brings every row to an empty installation, and is the same again from there', async () => {
    const exported = await exportAll(source.db, 'full')

    const counts = await importAll(exported)
    await openImports(target.db, [REALM])

    expect(await exportAll(target.db, 'full')).toEqual(exported)
    expect(await dump(target.db)).toEqual(await dump(source.db))
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(exported.length)
  })

  test('tells the state of one moment', async () => {
    const before = await exportAll(source.db, 'full')

    const during = await inSnapshot(source.db, async (tx) => {
      const records: MessagingRecord[] = []
      for await (const record of exportRecords(tx, REALM, 'full')) {
        if (records.length === 0) await source.db.query('update messages set content = content || $1', ['!'])
        records.push(record)
      }
      return records
    })

    expect(during).toEqual(before)
    expect(await exportAll(source.db, 'full')).not.toEqual(before)
    await source.db.query('update messages set content = left(content, -1)')
  })

  test('holds nothing of another organization', async () => {
    const before = await exportAll(source.db, 'full')
    await insertOrganization(source.db, OTHER.realmId, OTHER.base)

    expect(await exportAll(source.db, 'full')).toEqual(before)
    expect(await exportAll(source.db, 'full', OTHER.realmId)).toHaveLength(before.length)
    await removeOrganization(source.db, OTHER.realmId)
  })

  test('has few rows in memory at once, and reads no further than is taken', async () => {
    let fetched = 0
    let most = 0
    const counting = (tx: Tx): Tx => {
      const query: Tx['query'] = async (sql, values) => {
        const result = await tx.query(sql, values)
        fetched += result.rows.length
        most = Math.max(most, result.rows.length)
        return result as never
      }
      return { ...tx, query }
    }
    await addMessages(source.db, 3_000)

    const kinds = await inSnapshot(source.db, async (tx) => {
      const records = exportRecords(counting(tx), REALM, 'full')
      let taken = 0
      for await (const { kind } of records) if (kind === 'message' && ++taken === 100) break
      return taken
    })

    expect(kinds).toBe(100)
    expect(most).toBeLessThanOrEqual(500)
    expect(fetched).toBeLessThan(600)
    await source.db.query('delete from messages where id > $1', [ids.message(1_000)])
  })
})

/** Adds messages to the public channel. */
async function addMessages(db: Pool, count: number): Promise<void> {
  await db.query(
    `insert into messages (id, realm_id, recipient_id, channel_id, previous_id, sender_id, topic, topic_key, content,
            rendered_content, has_link, has_image, has_attachment, sent_at, client)
     select $2::bigint + n, realm_id, recipient_id, channel_id, $2::bigint + n - 1, sender_id, topic, topic_key, content,
            rendered_content, has_link, has_image, has_attachment, sent_at, client
       from messages, generate_series(1, $3) as n
      where id = $1`,
    [ids.message(1), ids.message(1_000), count],
  )
}

describe('a public export', () => {
  test.each(Object.entries(secrets))('holds nothing of %s', async (_, secret) => {
    const everything = JSON.stringify(await exportAll(source.db, 'full'))
    const open = JSON.stringify(await exportAll(source.db, 'public'))

    expect(everything).toContain(secret)
    expect(open).not.toContain(secret)
  })

  test('tells who is subscribed to public channels, and nothing else of them', async () => {
    const records = await exportAll(source.db, 'public')

    const subscriptions = records.filter(({ kind }) => kind === 'subscription')
    const usual = { is_active: true, was_subscribed: true, read: [], is_muted: false, pin_to_top: false }
    expect(subscriptions).toMatchObject([
      { ...usual, stream_id: ids.town, user_id: ids.alice, received: [[ids.message(4) + 1, null]] },
      { ...usual, stream_id: ids.attic, user_id: ids.bob, received: [[1, null]] },
    ])
    expect(subscriptions).toMatchObject(subscriptions.map(() => ({ push_notifications: null })))
  })

  test('has the messages of public channels, what hangs on them, and their files without other links', async () => {
    const records = await exportAll(source.db, 'public')

    const of = (kind: MessagingRecord['kind'], field: string) =>
      records.filter((record) => record.kind === kind).map((record) => record[field as keyof typeof record])
    const town = [1, 2, 3, 4].map(ids.message)
    expect(of('channel', 'stream_id')).toEqual([ids.town, ids.attic])
    expect(of('message', 'id')).toEqual(town)
    expect(of('reaction', 'message_id')).toEqual([ids.message(1), ids.message(1)])
    expect(of('submessage', 'message_id')).toEqual([ids.message(2)])
    expect(of('attachment', 'id')).toEqual([ids.other(1)])
    expect(of('attachment_message', 'message_id')).toEqual([ids.message(1)])
    const kinds = [
      'channel',
      'subscription',
      'message',
      'reaction',
      'submessage',
      'attachment',
      'attachment_message',
    ]
    expect([...new Set(records.map(({ kind }) => kind))]).toEqual(kinds)
  })

  test('has what messages were before only where the organization shows it', async () => {
    const histories = async (isShown: boolean) => {
      const facts = JSON.stringify({ allow_edit_history: isShown })
      await source.db.query('insert into known_realms values ($1, 1, $2, false)', [REALM, facts])
      const records = await exportAll(source.db, 'public')
      await source.db.query('delete from known_realms')
      return records.filter((record) => record.kind === 'message' && record.edit_history !== null)
    }

    expect(await histories(false)).toEqual([])
    expect(await histories(true)).toMatchObject([{ id: ids.message(2) }])
  })

  test('is the same again after an import', async () => {
    const exported = await exportAll(source.db, 'public')

    await importAll(exported)

    expect(await exportAll(target.db, 'public')).toEqual(exported)
    expect(await exportAll(target.db, 'full')).toEqual(exported)
  })
})

/** Adds a copy of a row to the target, with other values. */
const copyRow = (table: string, values: object) =>
  target.db.query(
    `insert into ${table} overriding system value
     select (jsonb_populate_record(t, $1)).* from ${table} as t order by t limit 1`,
    [JSON.stringify(values)],
  )

describe('an import', () => {
  const others = idsOf(OTHER.base)
  const path = `${REALM}/a1/abcdefghijklmnopqrstuv_1/cat.png`
  test.each([
    ['a channel', 'channels', { id: ids.town, recipient_id: others.place(5), is_archived: true }, ids.town],
    ['a place of messages', 'recipients', { id: ids.place(2) }, ids.place(2)],
    [
      'people of a conversation',
      'conversations',
      { recipient_id: 503, user_ids: [ids.alice, ids.bob] },
      ids.bob,
    ],
    ['a message', 'messages', { id: ids.message(3) }, ids.message(3)],
    ['what is attached to a message', 'submessages', { id: ids.other(2) }, ids.other(2)],
    ['a draft', 'drafts', { id: ids.other(1) }, ids.other(1)],
    ['a scheduled message', 'scheduled_messages', { id: ids.other(2) }, ids.other(2)],
    ['a file', 'attachments', { id: ids.other(4), path_id: 'x' }, ids.other(4)],
    ['the URL of a file', 'attachments', { id: 5, path_id: path }, path],
  ])('leaves nothing when %s is taken, and says what', async (_, table, values, named) => {
    await insertOrganization(target.db, OTHER.realmId, OTHER.base)
    await copyRow(table, values)
    const before = await dump(target.db)

    await expect(importAll(await exportAll(source.db, 'full'))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(String(named)),
    })

    expect(await dump(target.db)).toEqual(before)
  })

  test.each<[string, MessagingRecord['kind'], object]>([
    ['a subscriber', 'subscription', { user_id: others.alice }],
    ['a channel', 'subscription', { stream_id: others.town }],
    ['whoever made a channel', 'channel', { creator_id: others.alice }],
    ['someone in a conversation', 'conversation', { members: [{ user_id: others.alice, read: [] }] }],
    ['a sender', 'message', { sender_id: others.alice }],
    ['the place of a message', 'message', { recipient_id: others.place(1), stream_id: others.town }],
    ['the channel of a message', 'message', { stream_id: ids.attic }],
    ['the message of flags', 'message_flags', { message_id: others.message(1) }],
    ['the user of flags', 'message_flags', { user_id: others.alice }],
    ['the message of a reaction', 'reaction', { message_id: others.message(1) }],
    ['whoever reacts', 'reaction', { user_id: others.alice }],
    ['the message of a vote', 'submessage', { message_id: others.message(1) }],
    ['whoever votes', 'submessage', { sender_id: others.alice }],
    ['the channel of a topic', 'user_topic', { stream_id: others.town }],
    ['whoever follows a topic', 'user_topic', { user_id: others.alice }],
    ['whoever writes a draft', 'draft', { user_id: others.alice }],
    ['whoever schedules', 'scheduled_message', { sender_id: others.alice }],
    ['the channel of what is scheduled', 'scheduled_message', { stream_id: others.town }],
    ['whom it is scheduled for', 'scheduled_message', { stream_id: null, user_ids: [others.alice] }],
    ['the owner of a file', 'attachment', { owner_id: others.alice }],
    ['the URL of a file', 'attachment', { path_id: `${OTHER.realmId}/a1/abcdefghijklmnopqrstuv_1/cat.png` }],
    ['a linked file', 'attachment_message', { attachment_id: others.other(1) }],
    ['what links a file', 'attachment_message', { message_id: others.message(1) }],
    ['a file of what is scheduled', 'attachment_scheduled_message', { attachment_id: others.other(1) }],
    ['what links it', 'attachment_scheduled_message', { scheduled_message_id: others.other(1) }],
  ])('leaves nothing when %s is of another organization, and names the record', async (_, kind, values) => {
    await insertOrganization(target.db, OTHER.realmId, OTHER.base)
    const before = await dump(target.db)
    const exported = await exportAll(source.db, 'full')
    const at = exported.findIndex((record) => record.kind === kind)
    const forged = exported.with(at, { ...exported[at], ...values } as MessagingRecord)

    await expect(importAll(forged)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(`{"kind":"${kind}"`),
    })

    expect(await dump(target.db)).toEqual(before)
  })

  test.each<[string, MessagingRecord['kind'], object]>([
    ['a text that is no text', 'message', { content: 'a\u0000b' }],
    ['a range that ends before it begins', 'subscription', { read: [[7, 3]] }],
    ['a policy that is too large', 'channel', { stream_post_policy: 100_000 }],
  ])('leaves nothing when a record has %s', async (_, kind, values) => {
    const exported = await exportAll(source.db, 'full')
    const at = exported.findIndex((record) => record.kind === kind)
    const spoilt = exported.with(at, { ...exported[at], ...values } as MessagingRecord)

    await expect(importAll(spoilt)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(`the kind ${kind} can't be stored`),
    })

    expect(await dump(target.db)).toMatchObject({ channels: [], messages: [] })
  })

  test('that breaks off leaves nothing', async () => {
    const exported = await exportAll(source.db, 'full')
    async function* breakingOff() {
      yield* streamOf(exported.slice(0, -1))
      throw new Error('the connection is gone')
    }

    await expect(importOrganization(context(), REALM, breakingOff())).rejects.toThrow(
      'the connection is gone',
    )

    expect(await dump(target.db)).toMatchObject({ channels: [], messages: [] })
  })

  test('is refused where the organization has something already, and while another runs', async () => {
    const exported = await exportAll(source.db, 'full')
    let refused: Promise<unknown> = Promise.resolve()
    async function* withAnother() {
      refused = importAll(exported).catch((err) => err)
      await refused
      yield* streamOf(exported)
    }

    await importOrganization(context(), REALM, withAnother())

    expect(await refused).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('being imported'),
    })
    await expect(importAll(exported)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('here already'),
    })
  })

  test.each([
    ['far', 4_000_000],
    ['near', 0],
  ])('lets new messages have IDs that are %s from those that it brings', async (_, distance) => {
    const { rows } = await target.db.query(`select nextval('message_ids') as id`)
    const last = Math.max(rows[0].id, ids.message(99)) + 10 + distance
    const exported = await exportAll(source.db, 'full')
    const promised = exported.map((record) =>
      record.kind === 'channel' && record.stream_id === ids.attic
        ? { ...record, first_message_id: last }
        : record,
    )

    await importAll(promised)

    const { rows: next } = await target.db.query(`select nextval('message_ids') as id`)
    expect(next).toEqual([{ id: last + 1 }])
  })

  test('lets nobody send a scheduled message before the organization is open', async () => {
    await importAll(await exportAll(source.db, 'full'))
    const take = () => takeDue(target.db, { now: new Date(), until: new Date(), busyIds: [] })

    expect(await take()).toBeNull()
    expect(await findBacklog(target.db)).toMatchObject({ oldestDeliverAt: null })
    await openImports(target.db, [REALM])

    expect(await take()).toMatchObject({ id: ids.other(1), realmId: REALM })
  })

  test('tells users whom guests see, where that is limited', async () => {
    const limited = context()
    const learnOrganization = async (realmId: number) => {
      const realm = await context().learnOrganization(realmId)
      await target.db.query('insert into known_realms values ($1, 1, $2, true)', [realmId, '{}'])
      await target.db.query('update known_users set told_role = 600 where user_id = $1', [ids.bob])
      return realm
    }

    const records = streamOf(await exportAll(source.db, 'full'))
    await importOrganization({ ...limited, learnOrganization }, REALM, records)

    const { rows } = await target.db.query('select change from guest_sight_changes')
    expect(rows.map(({ change }) => JSON.parse(change))).toEqual([
      { kind: 'whole', guest_id: ids.bob, user_ids: [ids.alice] },
    ])
  })
})

describe('undoing an import', () => {
  test('leaves nothing, dooms the files, and allows another', async () => {
    const exported = await exportAll(source.db, 'full')
    await importAll(exported)

    await removeImport(context(), REALM)

    expect(Object.values(await dump(target.db)).flat()).toEqual([])
    const { rows: people } = await target.db.query('select user_id from known_users')
    expect(people).toEqual([])
    const { rows: doomed } = await target.db.query('select name from doomed_blobs')
    expect(doomed).toHaveLength(4)
    await importAll(exported)
    expect(await exportAll(target.db, 'full')).toEqual(exported)
  })

  test('leaves organizations alone that are open, or were never imported', async () => {
    await insertOrganization(target.db, OTHER.realmId, OTHER.base)
    await importAll(await exportAll(source.db, 'full'))
    await openImports(target.db, [REALM])
    const before = await dump(target.db)

    await removeImport(context(), REALM)
    await removeImport(context(), OTHER.realmId)

    expect(await dump(target.db)).toEqual(before)
  })
})
