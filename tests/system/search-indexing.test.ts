import { endpoints } from '@tms/contracts'
import { createLog, createPool, type Pool, type Tx, transact } from '@tms/service-kit'
import { startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { takeOutRuns } from '../../services/messaging/src/kernel/text/unspaced.rules.ts'
import { findTexts } from './support/search.ts'
import { until } from './support/until.ts'
import { newChannel, sendToChannel } from './support/users-and-channels.ts'

const { deleteMessage, editMessage } = endpoints.messaging

let product: TestSystem
let db: Pool
beforeAll(async () => {
  product = await startTestSystem({ env: process.env, replicas: { messaging: 2 } })
  db = createPool(product.system.databaseUrls.messaging, 4, createLog('test', 'silent'))
}, 180_000)
afterAll(async () => {
  await db.end()
  await product.stop()
})

/** Resolves once searches use the index of a message instead of its text. */
const waitUntilIndexed = (messageId: number): Promise<void> =>
  until(async () => {
    const { rows } = await db.query<{ up_to: number }>('select up_to from search_progress')
    return (rows[0]?.up_to ?? 0) >= messageId
  })

/** Blocks indexing at both replicas meanwhile. */
const withoutIndexing = <T>(work: () => Promise<T>): Promise<T> =>
  transact(db, async (tx) => {
    await tx.query('select from search_progress for update')
    return work()
  })

describe('searches return the same before and after texts are indexed', () => {
  test('for messages that were sent, edited, moved and deleted meanwhile', async () => {
    const { owner } = product
    const from = await newChannel(owner)
    const to = await newChannel(owner)
    const early = await sendToChannel(owner, from.name, 'an early walrus')
    const moved = await sendToChannel(owner, from.name, 'a walrus that moves', 'the arctic')
    await waitUntilIndexed(moved)

    const found = async () => ({
      words: await findTexts(owner, 'walrus'),
      part: await findTexts(owner, '"walr"'),
      letters: await findTexts(owner, '海象'),
      others: await findTexts(owner, 'walrus', { operator: 'search', operand: '海象', negated: true }),
      there: await findTexts(owner, 'walrus', { operator: 'channel', operand: to.name }),
      topic: await findTexts(owner, 'antarctica walrus'),
      gone: await findTexts(owner, 'walruses penguin'),
    })
    const { before, sent, edited, late } = await withoutIndexing(async () => {
      const sent = await sendToChannel(owner, from.name, 'walruses at noon')
      const edited = await sendToChannel(owner, from.name, 'a penguin walrus')
      const deleted = await sendToChannel(owner, from.name, 'a walrus for nobody')
      const late = await sendToChannel(owner, from.name, 'a late walrus', 'the arctic')
      await owner.call(editMessage, { message_id: edited, content: 'walrus 海象です' })
      await owner.call(editMessage, {
        message_id: moved,
        stream_id: to.id,
        topic: 'antarctica',
        propagate_mode: 'change_later',
        send_notification_to_new_thread: false,
        send_notification_to_old_thread: false,
      })
      await owner.call(deleteMessage, { message_id: deleted })
      return { before: await found(), sent, edited, late }
    })
    await waitUntilIndexed(late)

    expect(before).toEqual({
      words: [early, moved, sent, edited, late],
      part: [early, moved, sent, edited, late],
      letters: [edited],
      others: [early, moved, sent, late],
      there: [moved, late],
      topic: [moved, late],
      gone: [],
    })
    expect(await found()).toEqual(before)
  })

  test('for one whose sender was slow, although later ones are indexed already', async () => {
    const { owner } = product
    const [slow, quick] = [await newChannel(owner), await newChannel(owner)]
    const model = await sendToChannel(owner, slow.name, 'a model narwhal')

    const { late, later } = await transact(db, async (tx) => {
      const late = await storeCopy(tx, model)
      const later = await sendToChannel(owner, quick.name, 'a quick narwhal')
      // Many runs of the indexer, at both replicas.
      await untilTextOf(later)
      for (let i = 0; i < 8; i++) await untilTextOf(await sendToChannel(owner, quick.name, 'another whale'))
      expect(await findTexts(owner, 'narwhal')).toEqual([model, later])
      return { late, later }
    })
    const atOnce = await findTexts(owner, 'narwhal')
    await waitUntilIndexed(later)

    expect(late).toBeLessThan(later)
    expect(atOnce).toEqual([model, late, later])
    expect(await findTexts(owner, 'narwhal')).toEqual(atOnce)
  })

  test('for one that changes during a run of the indexer', async () => {
    const { owner } = product
    const channel = await newChannel(owner)
    const message = await withoutIndexing(() => sendToChannel(owner, channel.name, 'a beluga'))

    await transact(db, async (tx) => {
      await tx.query(`update messages set content = 'a porpoise' where id = $1`, [message])
      await untilTextOf(await sendToChannel(owner, channel.name, 'another whale'))
    })
    await waitUntilIndexed(message)

    expect(await findTexts(owner, 'porpoise')).toEqual([message])
    expect(await findTexts(owner, 'beluga')).toEqual([])
  })

  test('for those that came after a replica had died', async () => {
    const { owner, system } = product
    const channel = await newChannel(owner)
    await system.replica('messaging', 0).kill('SIGKILL')
    const messages = [
      await sendToChannel(owner, channel.name, 'one orca'),
      await sendToChannel(owner, channel.name, 'two orcas'),
    ]
    await waitUntilIndexed(messages[1] ?? 0)
    await system.replica('messaging', 0).start()

    expect(await findTexts(owner, 'orca')).toEqual(messages)
  })
})

/** Stores a message as sends do, as a copy of another, and leaves the commit to the transaction. */
async function storeCopy(tx: Tx, messageId: number): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `with place as (
       select r.id, r.last_message_id
         from recipients r
         join messages m
           on m.recipient_id = r.id
        where m.id = $1
          for no key update of r
     ), stored as (
       insert into messages (id, realm_id, recipient_id, channel_id, previous_id, sender_id, topic, topic_key, content,
              rendered_content, has_link, has_image, has_attachment, sent_at, client)
       select nextval('message_ids'), realm_id, recipient_id, channel_id, last_message_id, sender_id, topic, topic_key,
              content, rendered_content, has_link, has_image, has_attachment, sent_at, client
         from messages m, place
        where m.id = $1
       returning id
     )
     update recipients
        set last_message_id = stored.id
       from place, stored
      where recipients.id = place.id
     returning stored.id`,
    [messageId],
  )
  return rows[0]?.id ?? 0
}

const untilTextOf = (messageId: number): Promise<void> =>
  until(async () => {
    const { rows } = await db.query('select from message_texts where message_id = $1', [messageId])
    return rows.length > 0
  })

test('the service and the database agree which letters belong to scripts without spaces', async () => {
  const { rows } = await db.query<{ letters: string }>(
    `select string_agg(chr(n), '') as letters
       from generate_series(1, 262143) n
      where n not between 55296 and 57343
        and chr(n) ~ unspaced_run()`,
  )
  const all = Array.from({ length: 0x3ffff }, (_, n) => n + 1)
    .filter((n) => n < 0xd800 || n > 0xdfff)
    .map((n) => String.fromCodePoint(n))

  expect(rows[0]?.letters).toBe(all.filter((letter) => takeOutRuns(letter).runs.length > 0).join(''))
})
