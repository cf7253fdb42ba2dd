import { endpoints } from '@tms/contracts'
import { createLog, createPool } from '@tms/service-kit'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newUsers } from '../support/users-and-channels.ts'
import { stopWatching, type Watcher, watch } from '../support/watch.ts'

const {
  createDrafts,
  createScheduledMessage,
  getMessages,
  listScheduledMessages,
  sendMessage,
  setTypingStatus,
  updateScheduledMessage,
} = endpoints.messaging
const TOO_MANY = refusal('BAD_REQUEST', { msg: 'Too many recipients (limit: 250).' })
const TOMORROW = Math.floor(Date.now() / 1000) + 86_400
/** No user of the system has such an ID. */
const FIRST_ID = 3_000_000

export const recipientLimitTests = (system: () => TestSystem): void => {
  describe('limits on recipients', () => {
    let ann: ApiClient
    let ben: ApiClient
    let anns: Watcher
    let bens: Watcher
    let db: ReturnType<typeof createPool>
    /** Users that exist only in messaging, as copies of Ben: creating so many takes long. */
    const users = Array.from({ length: 251 }, (_, position) => FIRST_ID + position)
    beforeAll(async () => {
      ;[ann, ben] = await newUsers(system(), 2)
      db = createPool(system().system.databaseUrls.messaging, 1, createLog('test', 'silent'))
      await db.query(
        `insert into known_users (user_id, realm_id, email_key, name_key, version, projection, published_role, published_active)
         select id, realm_id, email, name_key, version,
                projection || jsonb_build_object('user_id', id, 'email', email), published_role, published_active
           from known_users, unnest($2::bigint[]) id, concat('crowd', id, '@example.org') email
          where user_id = $1`,
        [ben.userId, users],
      )
      ;[anns, bens] = [await watch(ann), await watch(ben)]
    })
    afterAll(async () => {
      await stopWatching([anns, bens])
      await db.query('delete from known_users where user_id = any($1)', [users])
      await db.end()
    })

    const write = (to: number[]) => ann.send(sendMessage, { type: 'direct', to, content: 'hello' })
    const schedule = (to: number[]) =>
      ann.send(createScheduledMessage, {
        type: 'direct',
        to,
        content: 'hello',
        scheduled_delivery_timestamp: TOMORROW,
      })
    const draft = (to: number[]) =>
      ann.send(createDrafts, { drafts: [{ type: 'private', to, topic: '', content: 'hello' }] })

    test.each([
      ['a message', write],
      ['a scheduled message', schedule],
      ['a draft', draft],
    ])('%s has at most 250 recipients beside its sender', async (_, to) => {
      const most = users.slice(0, 250)
      expect(await to([ann.userId, ...most])).toMatchObject(success())
      expect(await to(users)).toMatchObject(TOO_MANY)
      expect(await to([...users, ben.userId, ann.userId])).toMatchObject(TOO_MANY)
    })

    test('a scheduled message cannot get more recipients by a change', async () => {
      expect(await schedule([ben.userId])).toMatchObject(success())
      const { scheduled_messages } = await ann.call(listScheduledMessages, {})
      const mine = scheduled_messages.find(({ to }) => Array.isArray(to) && to.includes(ben.userId))
      const scheduled_message_id = mine?.scheduled_message_id ?? 0
      expect(await ann.send(updateScheduledMessage, { scheduled_message_id, to: users })).toMatchObject(
        TOO_MANY,
      )
    })

    test('an existing conversation with more recipients can still be read', async () => {
      const most = [ben.userId, ...users.slice(0, 249)]
      const sent = await write(most)
      expect(sent).toMatchObject(success())
      const later = users.slice(249)
      await db.query(
        `with grown as (
           update conversations
              set user_ids = user_ids || $2::bigint[]
            where recipient_id = (select recipient_id from messages where id = $1)
           returning recipient_id
         )
         insert into conversation_members (user_id, recipient_id)
         select unnest($2::bigint[]), recipient_id from grown`,
        [sent.body['id'], later],
      )

      const everyone = [...most, ...later]
      const { messages } = await ben.call(getMessages, {
        narrow: [{ operator: 'dm', operand: [ann.userId, ...everyone].filter((id) => id !== ben.userId) }],
        anchor: 'newest',
        num_before: 10,
        num_after: 0,
      })
      expect(messages).toMatchObject([{ id: sent.body['id'], content: '<p>hello</p>' }])
      expect(messages[0]?.display_recipient).toHaveLength(253)
      expect(await write(everyone)).toMatchObject(TOO_MANY)
    })

    test('typing among more than 100 users is not delivered', async () => {
      const start = (to: number[]) => ann.call(setTypingStatus, { op: 'start', to })
      await start([ben.userId, ...users.slice(0, 99)])
      await start([ben.userId, ...users.slice(0, 98)])
      // A later event shows that they would have arrived. Indicators have no order among themselves.
      await start([ben.userId])
      const { body } = await write([ben.userId])
      for (const { queue } of [anns, bens]) {
        const typingAmong = (count: number) =>
          queue.waitFor(
            ({ type, recipients }) => type === 'typing' && (recipients as unknown[]).length === count,
          )
        const written = queue.waitFor(
          ({ message }) => (message as { id: number } | undefined)?.id === body['id'],
        )
        await Promise.all([typingAmong(100), typingAmong(2), written])
        expect(queue.events.filter(({ type }) => type === 'typing')).toHaveLength(2)
      }
    })
  })
}
