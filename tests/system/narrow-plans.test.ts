import { createLog, createPool, type Pool, type Queryable } from '@tms/service-kit'
import { startTestDatabases, type TestDatabases } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HistoryIds, insertHistory } from '../../bench/src/setup/history.queries.ts'
import { listUnreadIds } from '../../services/messaging/src/flags/bulk-reading.queries.ts'
import { findAnchor, listPageIds } from '../../services/messaging/src/narrow/find-page.ts'
import { parseNarrow } from '../../services/messaging/src/narrow/narrow.rules.ts'
import { resolveNarrow } from '../../services/messaging/src/narrow/resolve-narrow.ts'
import { listUnread } from '../../services/messaging/src/register-state/unread.queries.ts'

const me = { userId: 10, realmId: 1, role: 400, email: 'me@example.com' }

/** Enough for the planner to choose as in a large organization; the benchmark uses a million. */
const MESSAGES = 100_000
/** Tables that grow with messages, which no query may scan. */
const LARGE = ['messages', 'message_texts', 'message_flags', 'reactions']

let databases: TestDatabases
let db: Pool
let channels: HistoryIds
beforeAll(async () => {
  databases = await startTestDatabases(process.env)
  db = createPool(databases.urls.messaging, 2, createLog('test', 'silent'))
  channels = await insertHistory(db, { realmId: me.realmId, memberId: me.userId, messages: MESSAGES })
}, 300_000)
afterAll(async () => {
  await db.end()
  await databases.stop()
})

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
}

const scansOf = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap(scansOf),
]

/** Runs queries, and records the large tables that their plans scan. */
function explaining(): { queryable: Queryable; scanned: Set<string> } {
  const scanned = new Set<string>()
  const query: Queryable['query'] = async (sql, values) => {
    const statement = typeof sql === 'string' ? { text: sql, values: values ?? [] } : { values: [], ...sql }
    if (!statement.text.trimStart().startsWith('explain')) {
      const explained = `explain (format json) ${statement.text}`
      const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explained, statement.values)
      for (const row of rows) {
        for (const table of scansOf(row['QUERY PLAN'][0].Plan)) if (LARGE.includes(table)) scanned.add(table)
      }
    }
    return db.query(statement.text, statement.values) as never
  }
  return { queryable: { query }, scanned }
}

/** All users exist: the narrows below name users that only the messages have. */
const projections = {
  findUsersByIds: async (_: number, ids: readonly number[]) =>
    new Map(ids.map((id) => [id, { user_id: id }])),
  getRealm: async () => ({}),
}

describe('no narrow scans a large table', () => {
  test.each<[string, () => unknown[]]>([
    ['nothing', () => []],
    ['a channel', () => [['channel', `history ${channels.channelId}`]]],
    ['not a channel', () => [{ operator: 'channel', operand: channels.channelId, negated: true }]],
    ['public channels', () => [['streams', 'public']]],
    ['web-public channels', () => [['streams', 'web-public']]],
    ['a topic', () => [['topic', 'topic 5']]],
    ['a channel’s topic', () => [{ operator: 'channel', operand: channels.channelId }, ['topic', 'topic 5']]],
    ['not a topic', () => [{ operator: 'topic', operand: 'topic 5', negated: true }]],
    ['a sender', () => [{ operator: 'sender', operand: channels.partnerId }]],
    [
      'a channel’s sender',
      () => [
        { operator: 'channel', operand: channels.channelId },
        { operator: 'sender', operand: channels.partnerId },
      ],
    ],
    ['not a sender', () => [{ operator: 'sender', operand: channels.partnerId, negated: true }]],
    ['a conversation', () => [{ operator: 'dm', operand: [channels.partnerId] }]],
    ['conversations with someone', () => [{ operator: 'dm-including', operand: channels.partnerId }]],
    ['not those', () => [{ operator: 'dm-including', operand: channels.partnerId, negated: true }]],
    ['groups with someone', () => [{ operator: 'group-pm-with', operand: channels.partnerId }]],
    ['direct messages', () => [['is', 'dm']]],
    ['not direct messages', () => [{ operator: 'is', operand: 'dm', negated: true }]],
    ['starred', () => [['is', 'starred']]],
    ['not starred', () => [{ operator: 'is', operand: 'starred', negated: true }]],
    ['unread', () => [['is', 'unread']]],
    ['read', () => [{ operator: 'is', operand: 'unread', negated: true }]],
    ['mentions', () => [['is', 'mentioned']]],
    ['alert words', () => [['is', 'alerted']]],
    ['resolved topics', () => [['is', 'resolved']]],
    ['followed topics', () => [['is', 'followed']]],
    ['topics not followed', () => [{ operator: 'is', operand: 'followed', negated: true }]],
    ['what is not muted', () => [['in', 'home']]],
    ['what is muted', () => [['is', 'muted']]],
    ['the same as what is not muted', () => [{ operator: 'is', operand: 'muted', negated: true }]],
    ['everything', () => [['in', 'all']]],
    ['links', () => [['has', 'link']]],
    ['no links', () => [{ operator: 'has', operand: 'link', negated: true }]],
    ['images', () => [['has', 'image']]],
    ['attachments', () => [['has', 'attachment']]],
    ['reactions', () => [['has', 'reaction']]],
    [
      'a channel’s reactions',
      () => [{ operator: 'channel', operand: channels.channelId }, ['has', 'reaction']],
    ],
    ['a message', () => [{ operator: 'id', operand: 5_000 }]],
    ['a frequent word', () => [['search', 'w2x']]],
    [
      'a frequent word with a link',
      () => [
        ['search', 'w2x'],
        ['has', 'link'],
      ],
    ],
    [
      'a frequent word where it is not muted',
      () => [
        ['in', 'home'],
        ['search', 'w2x'],
      ],
    ],
    [
      'a frequent word by someone',
      () => [{ operator: 'sender', operand: channels.partnerId }, ['search', 'w2x']],
    ],
    ['a rarer word', () => [['search', 'w90x']]],
    ['a rare word', () => [['search', 'w15000x']]],
    ['frequent words together', () => [['search', 'w2x w3x w4x']]],
    ['not a word', () => [{ operator: 'search', operand: 'w2x', negated: true }]],
    ['a channel’s words', () => [{ operator: 'channel', operand: channels.channelId }, ['search', 'w90x']]],
    ['letters without spaces', () => [['search', '日本']]],
    ['a letter without spaces', () => [['search', '猫']]],
    ['a part as it stands', () => [['search', '"777x w"']]],
    [
      'a channel’s part of two letters',
      () => [{ operator: 'channel', operand: channels.channelId }, ['search', '"7x"']],
    ],
    ['a word and a part of two letters', () => [['search', 'w90x "7x"']]],
    ['a word and a part', () => [['search', 'w90x "777x"']]],
    [
      'unread words',
      () => [
        ['is', 'unread'],
        ['search', 'w90x'],
      ],
    ],
  ])('%s', async (_, narrow) => {
    const { queryable, scanned } = explaining()
    const context = { db: queryable as Pool, projections: projections as never }
    const resolved = await resolveNarrow(context, me as never, parseNarrow(narrow()))

    const newest = { older: { from: 0, below: 1e16, limit: 100 }, newer: null }
    await listPageIds(queryable, me.userId, resolved, newest)
    await findAnchor(queryable, me.userId, resolved, 'first_unread')

    expect([...scanned]).toEqual([])
  })
})

test('neither do the unread messages of a user, a channel or a topic', async () => {
  const { queryable, scanned } = explaining()
  const { rows } = await db.query<{ id: number }>('select recipient_id as id from channels where id = $1', [
    channels.channelId,
  ])
  const part = { userId: me.userId, recipientId: rows[0]?.id ?? 0, afterId: 0, limit: 5_000 }

  const all = await listUnread(queryable, { userId: me.userId, afterId: 0, untilId: MESSAGES, limit: 50_000 })
  const ofChannel = await listUnreadIds(queryable, { ...part, topic: null })
  const ofTopic = await listUnreadIds(queryable, { ...part, topic: 'topic 5' })

  expect([...scanned]).toEqual([])
  expect(ofChannel.length).toBeGreaterThan(ofTopic.length)
  expect(all.length).toBeGreaterThan(ofChannel.length)
})

describe('a small result reads few rows', () => {
  const newMember = { userId: 11, realmId: 2, role: 400, email: 'new@example.com' }
  let theirs: number
  beforeAll(async () => {
    const { rows } = await db.query<{ id: number }>(
      `with place as (
         insert into recipients (realm_id) values ($1) returning id
       ), joined as (
         insert into conversations (recipient_id, realm_id, user_ids) select id, $1, array[$2::bigint] from place
       ), member as (
         insert into conversation_members (user_id, recipient_id) select $2, id from place
       )
       insert into messages (id, realm_id, recipient_id, previous_id, sender_id, topic, topic_key, content,
              rendered_content, has_link, has_image, has_attachment, sent_at, client)
       select nextval('message_ids'), $1, id, 0, $2, '', '', 'w2x ~ ', '', false, false, false, now(), 'test'
         from place
       returning id`,
      [newMember.realmId, newMember.userId],
    )
    theirs = rows[0]?.id ?? 0
    await db.query(
      `with kept as (
         insert into message_texts (message_id, recipient_id, sender_id, text, marks)
         select id, recipient_id, sender_id, message_text(topic, content), '{}' from messages where id = $1
       ), reacted as (
         insert into reactions (message_id, user_id, emoji_name, emoji_code, reaction_type)
         select $1, $2, 'octopus', '1f419', 'unicode_emoji'
       )
       update search_progress set up_to = $1`,
      [theirs, newMember.userId],
    )
  })

  test.each<[string, unknown[]]>([
    ['a frequent word', ['search', 'w2x']],
    ['a letter that everyone writes', ['search', '"x"']],
    ['a sign that nobody else writes', ['search', '"~"']],
    ['reactions', ['has', 'reaction']],
  ])('%s', async (_, term) => {
    const { queryable, scanned } = explaining()
    const context = { db: queryable as Pool, projections: projections as never }
    const resolved = await resolveNarrow(context, newMember as never, parseNarrow([term]))

    const newest = { older: { from: 0, below: 1e16, limit: 100 }, newer: null }
    expect(await listPageIds(queryable, newMember.userId, resolved, newest)).toEqual([theirs])
    expect([...scanned]).toEqual([])
  })
})
