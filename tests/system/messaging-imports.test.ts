import { Readable } from 'node:stream'
import type { MessagingRecord } from '@tms/contracts'
import { createLog, transact } from '@tms/service-kit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startBlobDeletion } from '../../services/messaging/src/attachments/delete-blobs.ts'
import { lockUnusedFiles } from '../../services/messaging/src/attachments/file.queries.ts'
import { exportHandlers } from '../../services/messaging/src/exports/export-handlers.ts'
import { activateImports } from '../../services/messaging/src/exports/pending-import.queries.ts'
import { listExpiringRecipients } from '../../services/messaging/src/retention/expired-message.queries.ts'
import { claimDue, findBacklog } from '../../services/messaging/src/scheduled-messages/due-message.queries.ts'
import {
  BASE,
  closeInstallation,
  contextOf,
  dump,
  type Exported,
  exportFrom,
  type Installation,
  ids,
  importInto,
  importLines,
  linesOf,
  OTHER,
  openInstallation,
  REALM,
  removeImport,
  removeOrganizations,
} from './support/messaging-installations.ts'
import { insertOrganization } from './support/messaging-organization.ts'
import { idsOf } from './support/messaging-rows.ts'
import { until } from './support/until.ts'

const log = createLog('test', 'silent')

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

/** The lines, with drafts, which nothing refers to, right before the end. */
function draftsLast(lines: string[]): string[] {
  const isDraft = (line: string) => line.includes('"kind":"draft"')
  return [
    ...lines.slice(0, -1).filter((line) => !isDraft(line)),
    ...lines.filter(isDraft),
    ...lines.slice(-1),
  ]
}

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
    ['a recipient', 'recipients', { id: ids.place(2) }, ids.place(2)],
    [
      'the users of a conversation',
      'conversations',
      { recipient_id: 503, user_ids: [ids.alice, ids.bob] },
      ids.bob,
    ],
    ['a message', 'messages', { id: ids.message(3) }, ids.message(3)],
    ['a submessage', 'submessages', { id: ids.other(2) }, ids.other(2)],
    ['a draft', 'drafts', { id: ids.other(1) }, ids.other(1)],
    ['a scheduled message', 'scheduled_messages', { id: ids.other(2) }, ids.other(2)],
    ['a file', 'attachments', { id: ids.other(4), path_id: 'x' }, ids.other(4)],
    ['the URL of a file', 'attachments', { id: 5, path_id: path }, path],
  ])('leaves nothing when %s is taken, and reports it', async (_, table, values, named) => {
    await insertOrganization(target.db, OTHER.realmId, OTHER.base)
    await copyRow(table, values)
    const before = await dump(target)

    await expect(importInto(target, await exportFrom(source, 'full'))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(String(named)),
    })

    expect(await dump(target)).toEqual(before)
  })

  test.each<[string, MessagingRecord['kind'], object]>([
    ['a subscriber', 'subscription', { user_id: others.alice }],
    ['a channel', 'subscription', { stream_id: others.town }],
    ['the creator of a channel', 'channel', { creator_id: others.alice }],
    ['a participant of a conversation', 'conversation', { members: [{ user_id: others.alice, read: [] }] }],
    ['a sender', 'message', { sender_id: others.alice }],
    ['the recipient of a message', 'message', { recipient_id: others.place(1), stream_id: others.town }],
    ['the channel of a message', 'message', { stream_id: ids.attic }],
    ['the message of flags', 'message_flags', { message_id: others.message(1) }],
    ['the user of flags', 'message_flags', { user_id: others.alice }],
    ['the message of a reaction', 'reaction', { message_id: others.message(1) }],
    ['the user of a reaction', 'reaction', { user_id: others.alice }],
    ['the message of a vote', 'submessage', { message_id: others.message(1) }],
    ['the user of a vote', 'submessage', { sender_id: others.alice }],
    ['the channel of a topic', 'user_topic', { stream_id: others.town }],
    ['the user of a topic setting', 'user_topic', { user_id: others.alice }],
    ['the user of a pointer', 'pointer', { user_id: others.alice }],
    ['the message of a pointer', 'pointer', { message_id: others.message(1) }],
    ['the author of a draft', 'draft', { user_id: others.alice }],
    ['the sender of a scheduled message', 'scheduled_message', { sender_id: others.alice }],
    ['the channel of a scheduled message', 'scheduled_message', { stream_id: others.town }],
    [
      'a recipient of a scheduled message',
      'scheduled_message',
      { stream_id: null, user_ids: [others.alice] },
    ],
    ['the owner of a file', 'attachment', { owner_id: others.alice }],
    ['the URL of a file', 'attachment', { path_id: `${OTHER.realmId}/a1/abcdefghijklmnopqrstuv_1/cat.png` }],
    ['a linked file', 'attachment_message', { attachment_id: others.other(1) }],
    ['the message of a file link', 'attachment_message', { message_id: others.message(1) }],
    ['a file of a scheduled message', 'attachment_scheduled_message', { attachment_id: others.other(1) }],
    [
      'the scheduled message of a file link',
      'attachment_scheduled_message',
      { scheduled_message_id: others.other(1) },
    ],
  ])('leaves nothing when %s is of another organization, and names the record', async (_, kind, values) => {
    await insertOrganization(target.db, OTHER.realmId, OTHER.base)
    const before = await dump(target)
    const exported = await exportFrom(source, 'full')
    const at = exported.findIndex((record) => record.kind === kind)
    const forged = exported.with(at, { ...exported[at], ...values } as Exported)

    await expect(importInto(target, forged)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(`{"kind":"${kind}"`),
    })

    expect(await dump(target)).toEqual(before)
  })

  test.each<[string, MessagingRecord['kind'], object]>([
    ['a text that is no text', 'message', { content: 'a\u0000b' }],
    ['a range that ends before it begins', 'subscription', { read: [[7, 3]] }],
    ['a retention that is too long', 'channel', { message_retention_days: 2 ** 40 }],
  ])('leaves nothing when a record has %s', async (_, kind, values) => {
    const exported = await exportFrom(source, 'full')
    const at = exported.findIndex((record) => record.kind === kind)
    const spoilt = exported.with(at, { ...exported[at], ...values } as Exported)

    await expect(importInto(target, spoilt)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(`the kind ${kind} can't be stored`),
    })

    expect(await dump(target)).toMatchObject({ channels: [], messages: [] })
  })

  test.each<[string, (lines: string[]) => string[], RegExp]>([
    [
      'an unknown field',
      ([line = '', ...lines]) => [line.replace('{', '{"odd":1,'), ...lines],
      /Line 1 .*odd/,
    ],
    ['no end', (lines) => lines.slice(0, -1), /break off after line/],
    ['another order', draftsLast, /Line .*draft/],
  ])('leaves nothing when there is %s', async (_, spoil, message) => {
    const lines = linesOf(await exportFrom(source, 'full'))

    await expect(importLines(target, spoil(lines))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(message),
    })

    expect(Object.values(await dump(target)).flat()).toEqual([])
  })

  test('leaves nothing when it is interrupted', async () => {
    const lines = linesOf(await exportFrom(source, 'full'))
    async function* breakingOff() {
      yield* lines.slice(0, -2)
      throw new Error('the connection is gone')
    }

    await expect(importLines(target, breakingOff())).rejects.toThrow('the connection is gone')

    expect(Object.values(await dump(target)).flat()).toEqual([])
  })

  test('is rejected if the organization already has data', async () => {
    const exported = await exportFrom(source, 'full')
    await importInto(target, exported)
    const before = await dump(target)

    await expect(importInto(target, exported)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('here already'),
    })

    expect(await dump(target)).toEqual(before)
  })

  test.each([
    ['far', 4_000_000],
    ['near', 0],
  ])('gives new messages IDs that are %s from those that it brings', async (_, distance) => {
    const { rows } = await target.db.query(`select nextval('message_ids') as id`)
    const last = Math.max(rows[0].id, ids.message(99)) + 10 + distance
    const exported = await exportFrom(source, 'full')
    const promised = exported.map((record) =>
      record.kind === 'channel' && record.stream_id === ids.attic
        ? { ...record, first_message_id: last }
        : record,
    )

    await importInto(target, promised)

    const { rows: next } = await target.db.query(`select nextval('message_ids') as id`)
    expect(next).toEqual([{ id: last + 1 }])
  })

  test('sends no scheduled message before the organization is open', async () => {
    await importInto(target, await exportFrom(source, 'full'))
    const take = () => claimDue(target.db, { now: new Date(), until: new Date(), busyIds: [] })

    expect(await take()).toBeNull()
    expect(await findBacklog(target.db)).toMatchObject({ oldestDeliverAt: null })
    await activateImports(target.db, [REALM])

    expect(await take()).toMatchObject({ id: ids.other(1), realmId: REALM })
  })

  test('deletes no expired message before the organization is open', async () => {
    await importInto(target, await exportFrom(source, 'full'))
    const expiring = async () => ({
      places: (await listExpiringRecipients(target.db, new Date())).map(({ channelId }) => channelId),
      files: await transact(target.db, (tx) => lockUnusedFiles(tx, new Date(), 10)),
    })

    expect(await expiring()).toEqual({ places: [], files: [] })
    await activateImports(target.db, [REALM])

    expect(await expiring()).toEqual({ places: [ids.town], files: [ids.other(3)] })
  })
})

describe('a file', () => {
  const KEY = `attachments/${REALM}/a1/abcdefghijklmnopqrstuv_1`
  const bytes = Buffer.alloc(1_000, 'cat')
  const give = (key: string, content: Buffer) =>
    exportHandlers.importFile(
      { realm_id: REALM, key },
      contextOf(target),
      'a request',
      Readable.from([content]),
    )
  const take = async (key: string): Promise<Buffer> => {
    const { content } = await exportHandlers.exportFile(
      { realm_id: REALM, key },
      contextOf(target),
      'a request',
    )
    return Buffer.concat(await Readable.from(content).toArray())
  }
  /** Deletes the blobs that are due. */
  const sweep = async () => {
    const deletion = startBlobDeletion(target.db, target.blobs, log)
    await until(
      async () =>
        (await target.db.query('select from blobs_to_delete where delete_after < now()')).rows.length === 0,
    )
    await deletion.stop()
  }

  test('is exported and imported unchanged, any number of times, and remains', async () => {
    await importInto(target, await exportFrom(source, 'full'))

    await give(KEY, bytes)
    await give(KEY, bytes)
    await sweep()

    expect(await take(KEY)).toEqual(bytes)
    expect((await target.db.query('select from blobs_to_delete')).rows).toEqual([])
  })

  test.each([
    ['has another size than its record says', KEY, Buffer.alloc(999), '999 bytes instead of 1000'],
    ['no record names', `${KEY}x`, bytes, 'No record'],
    ['is below another name', `${KEY}/cat.png`, bytes, 'No record'],
    ['is of another organization', KEY.replace(`/${REALM}/`, '/2/'), bytes, 'No record'],
    ['is in no folder of files', KEY.replace('attachments', 'attachment_'), bytes, 'No record'],
  ])('is not stored that %s', async (_, key, content, message) => {
    await importInto(target, await exportFrom(source, 'full'))

    await expect(give(key, content)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(message),
    })

    await sweep()
    expect(await target.blobs.stat(key)).toBeNull()
  })

  test('is not stored once the organization is open', async () => {
    await importInto(target, await exportFrom(source, 'full'))
    await activateImports(target.db, [REALM])

    await expect(give(KEY, bytes)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('is not stored when the import is undone during its transfer', async () => {
    await importInto(target, await exportFrom(source, 'full'))
    async function* slowly() {
      yield bytes.subarray(0, 500)
      await removeImport(target, REALM)
      yield bytes.subarray(500)
    }

    const body = { realm_id: REALM, key: KEY }
    const given = exportHandlers.importFile(body, contextOf(target), 'a request', Readable.from(slowly()))
    await expect(given).rejects.toMatchObject({ code: 'BAD_REQUEST' })

    await sweep()
    expect(await target.blobs.stat(KEY)).toBeNull()
  })
})

describe('undoing an import', () => {
  test('leaves nothing, and allows another import', async () => {
    const exported = await exportFrom(source, 'full')
    await importInto(target, exported)

    await removeImport(target, REALM)

    expect(Object.values(await dump(target)).flat()).toEqual([])
    expect((await target.db.query('select from known_users')).rows).toEqual([])
    await importInto(target, exported)
    expect(await exportFrom(target, 'full')).toEqual(exported)
  })

  test('keeps organizations that are open or were never imported, with their files', async () => {
    await insertOrganization(target.db, OTHER.realmId, OTHER.base)
    await importInto(target, await exportFrom(source, 'full'))
    await activateImports(target.db, [REALM])
    const names = [REALM, OTHER.realmId].map(
      (realmId) => `attachments/${realmId}/a1/abcdefghijklmnopqrstuv_1`,
    )
    for (const name of names)
      await target.blobs.put(name, Readable.from(['x']), { contentType: 'text/plain' })
    const before = await dump(target)

    await removeImport(target, REALM)
    await removeImport(target, OTHER.realmId)

    expect(await dump(target)).toEqual(before)
    for (const name of names) expect(await target.blobs.stat(name)).toEqual({ size: 1 })
  })
})
