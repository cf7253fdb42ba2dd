import type { MessagingRecord } from '@tms/contracts'
import { type Pool, type Tx, transact } from '@tms/service-kit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { exportRecords } from '../../services/messaging/src/exports/export-records.ts'
import { activateImports } from '../../services/messaging/src/exports/pending-import.queries.ts'
import { recordKinds } from '../../services/messaging/src/exports/record-kinds.ts'
import {
  BASE,
  closeInstallation,
  dump,
  type Exported,
  exportFrom,
  type Installation,
  ids,
  importInto,
  OTHER,
  openInstallation,
  REALM,
  removeOrganizations,
} from './support/messaging-installations.ts'
import { insertOrganization } from './support/messaging-organization.ts'
import { secrets } from './support/messaging-rows.ts'

let source: Installation
let target: Installation
beforeAll(async () => {
  ;[source, target] = await Promise.all([openInstallation(), openInstallation()])
  await insertOrganization(source.db, REALM, BASE)
}, 240_000)
afterAll(async () => {
  await closeInstallation(source)
  await closeInstallation(target)
})
afterEach(() => removeOrganizations(target, REALM, OTHER.realmId))

const inSnapshot = <T>(db: Pool, read: (tx: Tx) => Promise<T>): Promise<T> =>
  transact(db, read, 'begin isolation level repeatable read read only')

describe('an export of everything', () => {
  test('is made of an organization with data in every column', async () => {
    for (const [table, rows] of Object.entries(await dump(source))) {
      const columns = Object.keys(rows[0] ?? { 'no row': null })
      const empty = columns.filter((column) => rows.every((row) => row[column] === null))
      expect({ table, empty }).toEqual({ table, empty: [] })
    }
    const kinds = new Set((await exportFrom(source, 'full')).map(({ kind }) => kind))
    expect([...kinds]).toEqual([...Object.keys(recordKinds), 'file'])
  })

  test('restores every row in an empty installation, from where an export is equal again', async () => {
    const exported = await exportFrom(source, 'full')

    const { counts } = await importInto(target, exported)
    await activateImports(target.db, [REALM])

    expect(await exportFrom(target, 'full')).toEqual(exported)
    expect(await dump(target)).toEqual(await dump(source))
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(exported.length)
  })

  test('is consistent at one point in time', async () => {
    const before = (await exportFrom(source, 'full')).filter(({ kind }) => kind !== 'file')

    const during = await inSnapshot(source.db, async (tx) => {
      const records: MessagingRecord[] = []
      for await (const record of exportRecords(tx, REALM, 'full')) {
        if (records.length === 0) await source.db.query('update messages set content = content || $1', ['!'])
        records.push(record)
      }
      return records
    })

    expect(during).toEqual(before)
    const after = await exportFrom(source, 'full')
    await source.db.query('update messages set content = left(content, -1)')
    expect(after).not.toEqual(expect.arrayContaining(before))
  })

  test('contains nothing of another organization', async () => {
    const before = await exportFrom(source, 'full')
    await insertOrganization(source.db, OTHER.realmId, OTHER.base)

    expect(await exportFrom(source, 'full')).toEqual(before)
    expect(await exportFrom(source, 'full', OTHER.realmId)).toHaveLength(before.length)
    await removeOrganizations(source, OTHER.realmId)
  })

  test('keeps few rows in memory, and reads no further than requested', async () => {
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
  test.each(Object.entries(secrets))('contains nothing of %s', async (_, secret) => {
    const everything = JSON.stringify(await exportFrom(source, 'full'))
    const open = JSON.stringify(await exportFrom(source, 'public'))

    expect(everything).toContain(secret)
    expect(open).not.toContain(secret)
  })

  test('names the subscribers of public channels, and nothing else of them', async () => {
    const records = await exportFrom(source, 'public')

    const subscriptions = records.filter(({ kind }) => kind === 'subscription')
    const usual = { is_active: true, was_subscribed: true, read: [], is_muted: false, pin_to_top: false }
    expect(subscriptions).toMatchObject([
      { ...usual, stream_id: ids.town, user_id: ids.alice, received: [[ids.message(4) + 1, null]] },
      { ...usual, stream_id: ids.attic, user_id: ids.bob, received: [[1, null]] },
    ])
    expect(subscriptions).toMatchObject(subscriptions.map(() => ({ push_notifications: null })))
  })

  test('contains the messages of public channels with their attachments, and files without other links', async () => {
    const records = await exportFrom(source, 'public')

    const of = (kind: Exported['kind'], field: string) =>
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
      'file',
    ]
    expect(of('file', 'key')).toEqual([`attachments/${REALM}/a1/abcdefghijklmnopqrstuv_1`])
    expect([...new Set(records.map(({ kind }) => kind))]).toEqual(kinds)
  })

  test('contains previous versions of messages only if the organization shows them', async () => {
    const histories = async (settings: Record<string, unknown>) => {
      const projection = JSON.stringify(settings)
      await source.db.query('insert into known_realms (realm_id, version, projection) values ($1, 1, $2)', [
        REALM,
        projection,
      ])
      const records = await exportFrom(source, 'public')
      await source.db.query('delete from known_realms')
      return records.filter((record) => record.kind === 'message' && record.edit_history !== null)
    }

    expect(await histories({ allow_edit_history: false })).toEqual([])
    expect(await histories({ allow_edit_history: true })).toMatchObject([{ id: ids.message(2) }])
    const policy = (policy: string) => ({
      allow_edit_history: policy !== 'none',
      message_edit_history_visibility_policy: policy,
    })
    expect(await histories(policy('none'))).toEqual([])
    const [moved] = await histories(policy('moves'))
    expect(moved).toMatchObject({ id: ids.message(2), edit_history: [{ stream: ids.town }] })
    expect(await histories(policy('all'))).toMatchObject([{ id: ids.message(2) }])
  })

  test('is equal again after an import', async () => {
    const exported = await exportFrom(source, 'public')

    await importInto(target, exported)

    expect(await exportFrom(target, 'public')).toEqual(exported)
    expect(await exportFrom(target, 'full')).toEqual(exported)
  })
})

describe('an export with consent', () => {
  afterEach(() => consent())
  const consent = (...userIds: number[]) =>
    source.db.query(
      `update known_users
          set projection = projection || jsonb_build_object(
                'settings', jsonb_build_object('allow_private_data_export', user_id = any($1::bigint[])))`,
      [userIds],
    )
  const idsIn = (records: readonly Exported[], kind: Exported['kind'], field: string) =>
    records.filter((record) => record.kind === kind).map((record) => record[field as keyof typeof record])

  test('of nobody is a public one', async () => {
    expect(await exportFrom(source, 'consent')).toEqual(await exportFrom(source, 'public'))
  })

  test('contains what those who consented may read, and their own data', async () => {
    await consent(ids.alice)
    const records = await exportFrom(source, 'consent')

    const messages = [1, 2, 3, 4, 5, 6, 7].map(ids.message)
    expect(idsIn(records, 'channel', 'stream_id')).toEqual([ids.town, ids.den, ids.attic])
    expect(idsIn(records, 'conversation', 'recipient_id')).toEqual([ids.place(4), ids.place(5)])
    expect(idsIn(records, 'message', 'id')).toEqual(messages)
    expect(idsIn(records, 'message_flags', 'user_id')).toEqual([ids.alice, ids.alice])
    expect(idsIn(records, 'draft', 'id')).toEqual([ids.other(1)])
    expect(idsIn(records, 'pointer', 'user_id')).toEqual([ids.alice])
    expect(idsIn(records, 'scheduled_message', 'scheduled_message_id')).toEqual([ids.other(1), ids.other(2)])
    expect(idsIn(records, 'attachment', 'id')).toEqual([1, 2, 3, 4].map(ids.other))
    expect(idsIn(records, 'attachment_message', 'message_id')).toEqual([1, 5, 5, 7].map(ids.message))
    expect(records).toContainEqual(
      expect.objectContaining({
        kind: 'subscription',
        user_id: ids.alice,
        stream_id: ids.town,
        is_muted: true,
      }),
    )
    expect(idsIn(records, 'subscription', 'user_id')).toEqual([ids.alice, ids.alice, ids.bob])
  })

  test('contains no conversation or channel without them', async () => {
    await consent(ids.carol)
    const records = await exportFrom(source, 'consent')

    expect(idsIn(records, 'conversation', 'recipient_id')).toEqual([ids.place(5)])
    expect(idsIn(records, 'message', 'id')).toEqual([1, 2, 3, 4].map(ids.message))
    for (const kind of [
      'draft',
      'scheduled_message',
      'user_topic',
      'pointer',
      'attachment_scheduled_message',
    ])
      expect({ kind, of: records.filter((record) => record.kind === kind) }).toEqual({ kind, of: [] })
    expect(JSON.stringify(records)).not.toMatch(/secret/)
  })

  test('contains of a protected history only what they received', async () => {
    await consent(ids.alice)
    const receive = (range: string) =>
      source.db.query(`update subscriptions set received = $1 where channel_id = $2 and user_id = $3`, [
        range,
        ids.den,
        ids.alice,
      ])
    await receive(`{[${ids.message(6)},)}`)
    const partly = await exportFrom(source, 'consent')
    await source.db.query('update channels set history_public_to_subscribers = true where id = $1', [ids.den])
    const wholly = await exportFrom(source, 'consent')
    await source.db.query('update channels set history_public_to_subscribers = false where id = $1', [
      ids.den,
    ])
    await receive(`{[${ids.message(1)},)}`)

    expect(idsIn(partly, 'message', 'id')).toEqual([1, 2, 3, 4, 6, 7].map(ids.message))
    expect(idsIn(partly, 'reaction', 'message_id')).not.toContain(ids.message(5))
    expect(idsIn(partly, 'attachment_message', 'message_id')).toEqual([ids.message(1), ids.message(7)])
    expect(idsIn(wholly, 'message', 'id')).toEqual([1, 2, 3, 4, 5, 6, 7].map(ids.message))
  })

  test('leaves out what others have read, and is equal again after an import', async () => {
    await consent(ids.bob)
    const exported = await exportFrom(source, 'consent')

    expect(exported.find((record) => record.kind === 'conversation')).toMatchObject({
      members: [
        { user_id: ids.alice, read: [[ids.message(7), ids.message(7)]] },
        { user_id: ids.bob, read: [] },
      ],
    })
    await importInto(target, exported)
    expect(await exportFrom(target, 'full')).toEqual(exported)
  })
})
