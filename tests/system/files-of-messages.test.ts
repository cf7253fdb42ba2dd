import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { type BlobStore, blobStoreVariables, openBlobStore } from '@tms/blob-store'
import { defaultChannelPermissions } from '@tms/contracts'
import { createLog, createPool, type Pool, publisherOf, type Tx, transact } from '@tms/service-kit'
import { startTestDatabases, type TestDatabases } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { scheduleBlobDeletion } from '../../services/messaging/src/attachments/blob-to-delete.queries.ts'
import { claimAttachments } from '../../services/messaging/src/attachments/claim-attachments.ts'
import { startBlobDeletion } from '../../services/messaging/src/attachments/delete-blobs.ts'
import { startUnusedFileDeletion } from '../../services/messaging/src/attachments/delete-unused-files.ts'
import { insertFile, listFiles } from '../../services/messaging/src/attachments/file.queries.ts'
import { blobNameOf, createPathId } from '../../services/messaging/src/attachments/path-id.rules.ts'
import {
  releaseAttachments,
  replaceAttachments,
  replaceScheduledAttachments,
} from '../../services/messaging/src/attachments/release-attachments.ts'
import { findSpaceUsed, takeSpace } from '../../services/messaging/src/attachments/upload-space.queries.ts'
import { insertChannels } from '../../services/messaging/src/channels/new-channel.queries.ts'
import { canReadFile } from '../../services/messaging/src/kernel/access/file.rules.ts'
import type { Channel } from '../../services/messaging/src/kernel/channels/channel.queries.ts'
import type { Context } from '../../services/messaging/src/kernel/context.ts'
import type { NewMessage } from '../../services/messaging/src/kernel/messages/new-message.ts'
import type { MessageSentWithoutId } from '../../services/messaging/src/messages/message-sent-event.ts'
import { storeMessage } from '../../services/messaging/src/messages/store-message.queries.ts'
import { until } from './support/until.ts'

const log = createLog('test', 'silent')
const DAY_MS = 86_400_000
const sender = { userId: 10, realmId: 1, role: 400 }

let databases: TestDatabases
let db: Pool
let blobs: BlobStore
let channel: Channel
beforeAll(async () => {
  databases = await startTestDatabases(process.env)
  db = createPool(databases.urls.messaging, 10, log)
  const variables = { UPLOADS_URL: pathToFileURL(join(databases.dataDir, 'uploads')).href }
  blobs = await openBlobStore(z.object(blobStoreVariables).parse(variables))
  channel = await newChannel()
}, 180_000)
afterAll(async () => {
  await db.end()
  await databases.stop()
})

const contextAt = (now: Date): Context => {
  const nothing = { wake: () => {} }
  const part = { db, blobs, publish: publisherOf('messaging'), blobDeletion: nothing }
  return { ...part, now: () => now } as unknown as Context
}
const context = contextAt(new Date())

/** A private channel without subscribers. */
async function newChannel(): Promise<Channel> {
  const [created] = await transact(db, (tx) =>
    insertChannels(tx, [{ name: 'a channel', description: '', renderedDescription: '' }], {
      realmId: 1,
      creatorId: sender.userId,
      inviteOnly: true,
      isWebPublic: false,
      historyPublicToSubscribers: true,
      messageRetentionDays: null,
      permissions: defaultChannelPermissions,
      isDefault: false,
    }),
  )
  if (!created) throw new Error('there is no channel')
  return created
}

/** A message that links files. */
const send = (...pathIds: string[]): Promise<number> =>
  transact(db, async (tx) => {
    const message: NewMessage = {
      realmId: 1,
      recipientId: channel.recipientId,
      channelId: channel.id,
      senderId: sender.userId,
      topic: 'a topic',
      content: 'x',
      renderedContent: '<p>x</p>',
      sentAt: new Date(),
      client: 'test',
      mentionsChannel: false,
      mentionsTopic: false,
      readerIds: [],
      mentionedUserIds: [],
      alertedUserIds: [],
    }
    const event = { message: { content: 'x' } } as MessageSentWithoutId
    const messageId = await storeMessage(tx, { message, event }, { requestId: null })
    await claimAttachments(tx, context, { sender, messageId, pathIds, requestId: null })
    return messageId
  })

/** Deletes messages with their files, as the product does. */
const deleteMessages = (...messageIds: number[]): Promise<void> =>
  transact(db, async (tx) => {
    await releaseAttachments(tx, context, messageIds, null)
    await tx.query('delete from messages where id = any($1)', [messageIds])
  })
const edit = (messageId: number, ...pathIds: string[]): Promise<number[]> =>
  transact(db, (tx) => replaceAttachments(tx, context, { sender, messageId, pathIds, requestId: null }))
const schedule = (messageId: number, ...pathIds: string[]): Promise<void> =>
  transact(db, (tx) =>
    replaceScheduledAttachments(tx, context, { sender, messageId, pathIds, requestId: null }),
  )

/** A stored file of the sender with 100 bytes. */
async function newFile(): Promise<string> {
  const pathId = createPathId(1, 'a.txt')
  const type = { contentType: 'text/plain' }
  const size = await blobs.put(blobNameOf(pathId), Readable.from([Buffer.alloc(100)]), type)
  await transact(db, async (tx) => {
    const of = { realmId: 1, ownerId: sender.userId, dimensions: null }
    await insertFile(tx, { ...of, pathId, name: 'a.txt', size, ...type })
    await takeSpace(tx, 1, size, null)
  })
  return pathId
}

const isThere = async (pathId: string) =>
  (await listFiles(db, [pathId], { userId: null, role: null })).length > 0
const hasBlob = async (pathId: string) => (await blobs.stat(blobNameOf(pathId))) !== null
/** The file events of an act. */
const eventsAfter = async (act: () => Promise<unknown>): Promise<string[]> => {
  const { rows: before } = await db.query<{ id: number }>('select coalesce(max(id), 0) as id from outbox')
  await act()
  const { rows } = await db.query<{ event: string }>('select event from outbox where id > $1 order by id', [
    before[0]?.id,
  ])
  return rows
    .map(({ event }) => event.replace(/^messaging\.|\.v1$/g, ''))
    .filter((event) => event.startsWith('attachment'))
}
/** Runs the deletion of unused files, as if this number of days had passed, until one pass is done. */
async function sweepAfter(days: number): Promise<void> {
  let isDone = () => {}
  const done = new Promise<void>((resolve) => {
    isDone = resolve
  })
  const watched = { ...blobs, sweep: async () => isDone() }
  const later = { ...contextAt(new Date(Date.now() + days * DAY_MS)), blobs: watched }
  const loops = [startUnusedFileDeletion(later, log), startUnusedFileDeletion(later, log)]
  await done
  await Promise.all(loops.map((loop) => loop.stop()))
}

describe('a file', () => {
  test('is deleted with the last message that links it, and its owner receives that', async () => {
    const file = await newFile()
    const [first, second] = [await send(file), await send(file)]
    const used = await findSpaceUsed(db, 1)

    expect(await eventsAfter(() => deleteMessages(first))).toEqual([])
    expect(await isThere(file)).toBe(true)
    expect(await eventsAfter(() => deleteMessages(second))).toEqual(['attachment_removed'])
    expect(await isThere(file)).toBe(false)
    expect(await findSpaceUsed(db, 1)).toBe(used - 100)
  })

  test('is deleted with several messages at once', async () => {
    const [file, kept] = [await newFile(), await newFile()]
    const messages = [await send(file), await send(file, kept)]
    await send(kept)

    await deleteMessages(...messages)

    expect([await isThere(file), await isThere(kept)]).toEqual([false, true])
  })

  test('remains while a scheduled message links it', async () => {
    const file = await newFile()
    const message = await send(file)
    await schedule(1, file)

    await deleteMessages(message)

    expect(await isThere(file)).toBe(true)
  })

  test('has its blob deleted soon after', async () => {
    const [file, other] = [await newFile(), await newFile()]
    await deleteMessages(await send(file))

    const deletion = startBlobDeletion(db, blobs, log)
    await until(async () => !(await hasBlob(file)))
    await deletion.stop()

    expect(await hasBlob(other)).toBe(true)
  })

  test('is linked and unlinked when a text is edited', async () => {
    const [before, both, after] = [await newFile(), await newFile(), await newFile()]
    const message = await send(before, both)

    expect(await eventsAfter(() => edit(message, both, after))).toEqual(['attachment_updated'])

    expect(await eventsAfter(() => deleteMessages(message))).toEqual([
      'attachment_removed',
      'attachment_removed',
    ])
    expect([await isThere(before), await isThere(both), await isThere(after)]).toEqual([true, false, false])
  })

  test('without links is deleted after five weeks, once, and no other is', async () => {
    const [unused, used, dropped, waiting] = [
      await newFile(),
      await newFile(),
      await newFile(),
      await newFile(),
    ]
    await send(used)
    await edit(await send(dropped))
    await schedule(2, waiting)
    const blobsExist = async () => {
      const all = [unused, used, dropped, waiting]
      return Promise.all(all.map(isThere))
    }

    await sweepAfter(34)
    expect(await blobsExist()).toEqual([true, true, true, true])

    const delivered = await eventsAfter(() => sweepAfter(36))
    expect(await blobsExist()).toEqual([false, true, false, true])
    expect(new Set(delivered)).toEqual(new Set(['attachment_removed']))

    await schedule(2)
    await sweepAfter(36)
    expect(await isThere(waiting)).toBe(false)
  })

  test('whose last message is deleted while another is sent either remains for it or is deleted', async () => {
    for (let turn = 0; turn < 30; turn++) {
      const file = await newFile()
      const first = await send(file)

      const [, second] = await Promise.all([deleteMessages(first), send(file)])

      const { rows } = await db.query('select from attachment_messages where message_id = $1', [second])
      expect(rows.length > 0).toBe(await isThere(file))
    }
  })

  test('is open to anyone while a web-public channel has it', async () => {
    const file = await newFile()
    await send(file)
    const readable = async () => {
      const [found] = await listFiles(db, [file], { userId: null, role: null })
      return found !== undefined && canReadFile({ role: null }, found)
    }
    const change = (isPublic: boolean) =>
      db.query('update channels set invite_only = $2, is_web_public = $3 where id = $1', [
        channel.id,
        !isPublic,
        isPublic,
      ])

    expect(await readable()).toBe(false)
    await change(true)
    expect(await readable()).toBe(true)
    await change(false)
  })

  test('that is missing is skipped', async () => {
    const file = await newFile()
    await deleteMessages(await send(file))

    expect(await eventsAfter(() => send(file))).toEqual([])
  })
})

describe('a blob', () => {
  test('of an interrupted upload is deleted in time', async () => {
    const name = blobNameOf(createPathId(1, 'lost'))
    const soon = new Date(Date.now() + 1_000)
    await scheduleBlobDeletion(db, [name], soon)
    await blobs.put(name, Readable.from([Buffer.from('x')]), { contentType: 'text/plain' })

    const early = startBlobDeletion(db, blobs, log)
    await early.stop()
    expect(await blobs.stat(name)).not.toBeNull()

    await until(async () => {
      const { rows } = await db.query<{ isDue: boolean }>('select now() > $1 as "isDue"', [soon])
      return rows[0]?.isDue === true
    })
    const late = startBlobDeletion(db, blobs, log)
    await until(async () => (await blobs.stat(name)) === null)
    await late.stop()
  })
})

/** A message cannot be deleted while a file links it: code that forgets the files fails. */
test('messages cannot be deleted without their files', async () => {
  const message = await send(await newFile())
  const forgetful = (tx: Tx) => tx.query('delete from messages where id = $1', [message])

  await expect(transact(db, forgetful)).rejects.toThrow('attachment_messages')
})
