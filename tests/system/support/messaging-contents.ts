import type { Pool } from '@tms/service-kit'
import { at, idsOf, insertRows, secrets } from './messaging-rows.ts'

/** The messages of `insertOrganization`, four in the public channel, two in the private one and a direct one. */
export async function insertMessages(db: Pool, realmId: number, base: number): Promise<void> {
  const { alice, bob, carol, town, den, place, message, other } = idsOf(base)
  const usual = {
    realm_id: realmId,
    sender_id: alice,
    topic: 'Ἀγορά',
    topic_key: 'ἀγορά',
    content: 'hello',
    rendered_content: '<p>hello</p>',
    has_link: false,
    has_image: false,
    has_attachment: false,
    sent_at: at('08:00:00.123457'),
    client: 'test',
    mentions_channel: false,
    mentions_topic: false,
  }
  const inTown = { ...usual, recipient_id: place(1), channel_id: town }
  const inDen = {
    ...{ ...usual, recipient_id: place(2), channel_id: den },
    ...{ topic: secrets['its topics'], topic_key: secrets['its topics'] },
    ...{ content: secrets['its messages'], rendered_content: secrets['their HTML'] },
  }
  const link = `<p><a href="/user_uploads/${realmId}/1/x/cat.png">cat</a></p>`
  const edited = {
    user_id: bob,
    timestamp: 1714550401,
    prev_content: 'helo',
    prev_rendered_content: '<p>helo</p>',
  }
  const moved = { user_id: carol, timestamp: 1714550402, prev_stream: den, stream: town }
  const direct = {
    ...{ recipient_id: place(4), channel_id: null, topic: '', topic_key: '' },
    content: secrets['direct messages'],
  }
  const messages = [
    {
      ...{ ...inTown, id: message(1), previous_id: 0, content: 'a cat', rendered_content: link },
      ...{ has_link: true, has_image: true, has_attachment: true },
    },
    {
      ...{ ...inTown, id: message(2), previous_id: message(1), sender_id: bob },
      ...{ last_edit_at: at('08:00:01.25'), last_moved_at: at('08:00:02.25'), edit_history: [moved, edited] },
    },
    { ...inTown, id: message(3), previous_id: message(2), mentions_channel: true },
    { ...inTown, id: message(4), previous_id: message(3), mentions_topic: true },
    { ...inDen, id: message(5), previous_id: 0 },
    { ...inDen, id: message(6), previous_id: message(5) },
    { ...usual, ...direct, id: message(7), previous_id: 0 },
  ]
  await insertRows(db, 'messages', messages)
  await db.query(
    `insert into message_texts (message_id, recipient_id, sender_id, text, marks)
     select id, recipient_id, sender_id, message_text(topic, content),
            message_marks(topic, has_link, has_image, has_attachment)
       from messages
      where realm_id = $1`,
    [realmId],
  )

  const flags = {
    ...{
      is_starred: false,
      is_collapsed: false,
      is_mentioned: false,
      has_alert_word: false,
      is_historical: false,
    },
  }
  await insertRows(db, 'message_flags', [
    { ...flags, user_id: alice, message_id: message(2), is_starred: true, is_collapsed: true },
    { ...flags, user_id: bob, message_id: message(1), is_mentioned: true, has_alert_word: true },
    { ...flags, user_id: carol, message_id: message(1), is_historical: true },
    { ...flags, user_id: alice, message_id: message(7), is_starred: true },
  ])
  const heart = { emoji_name: 'heart', emoji_code: '2764', reaction_type: 'unicode_emoji' }
  const secret = { emoji_name: secrets['reactions to them'], emoji_code: '1', reaction_type: 'realm_emoji' }
  await insertRows(db, 'reactions', [
    { ...heart, message_id: message(1), user_id: bob, created_at: at('08:00:02.000002') },
    { ...heart, message_id: message(1), user_id: alice, created_at: at('08:00:02.000003') },
    { ...secret, message_id: message(5), user_id: alice, created_at: at('08:00:03') },
  ])
  await insertRows(db, 'submessages', [
    { id: other(1), message_id: message(2), sender_id: bob, msg_type: 'widget', content: '{"question":"?"}' },
    {
      id: other(2),
      message_id: message(6),
      sender_id: bob,
      msg_type: 'widget',
      content: secrets['votes on them'],
    },
  ])
}

/** Drafts, scheduled messages, and a pointer. */
export async function insertWriting(db: Pool, realmId: number, base: number): Promise<void> {
  const { alice, bob, carol, town, message, other } = idsOf(base)
  await insertRows(db, 'pointers', [{ user_id: alice, message_id: message(1) }])
  const draft = { topic: 'Ἀγορά', content: secrets.drafts, last_edited_at: 1714550403 }
  await insertRows(db, 'drafts', [
    { ...draft, id: other(1), user_id: alice, type: 'stream', recipient_ids: [town] },
    { ...draft, id: other(2), user_id: bob, type: '', recipient_ids: [] },
  ])
  const scheduled = {
    realm_id: realmId,
    sender_id: alice,
    topic: '',
    content: secrets['scheduled messages'],
    rendered_content: '<p>later</p>',
    read_by_sender: true,
    client: 'test',
    deliver_at: 1714550404,
    failed: false,
    version: 1,
    attempt_at: '2024-05-01T08:00:04Z',
    topic_key: '',
    may_be_passed: false,
  }
  await insertRows(db, 'scheduled_messages', [
    { ...scheduled, id: other(1), channel_id: town, topic: 'Ἀγορά', topic_key: 'ἀγορά' },
    { ...scheduled, id: other(2), user_ids: [bob, carol], read_by_sender: false, failed: true },
  ])
}

/** A file that is public, and others that are not. */
export async function insertFiles(db: Pool, realmId: number, base: number): Promise<void> {
  const { alice, bob, message, other } = idsOf(base)
  const file = (number: number, name: string, more: object = {}) => ({
    id: other(number),
    realm_id: realmId,
    owner_id: alice,
    path_id: `${realmId}/a${number}/abcdefghijklmnopqrstuv_${number}/${name}`,
    name: `my ${name}`,
    content_type: 'image/png',
    size: 1000 * number,
    created_at: at('07:30:00.75'),
    unused_since: null,
    width: null,
    height: null,
    ...more,
  })
  await insertRows(db, 'attachments', [
    file(1, 'cat.png', { width: 640, height: 480 }),
    file(2, secrets['files that only private messages link'], { owner_id: bob }),
    file(3, secrets['files that nothing links'], { unused_since: at('07:31:00') }),
    file(4, secrets['files that only scheduled messages link']),
  ])
  await insertRows(db, 'upload_space', [{ realm_id: realmId, bytes: 10_000 }])
  const link = (attachment: number, number: number) => ({
    ...{ attachment_id: other(attachment), message_id: message(number) },
  })
  await insertRows(db, 'attachment_messages', [link(1, 1), link(1, 5), link(2, 5), link(2, 7)])
  await insertRows(db, 'attachment_scheduled_messages', [
    { attachment_id: other(1), scheduled_message_id: other(1) },
    { attachment_id: other(4), scheduled_message_id: other(1) },
  ])
}
