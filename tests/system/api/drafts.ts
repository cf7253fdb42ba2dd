import { endpoints, type NewDraft } from '@tms/contracts'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { lockTable } from '../support/table-lock.ts'
import { until } from '../support/until.ts'
import { newChannel, newUsers } from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, type Watcher, watch } from '../support/watch.ts'

const { createDrafts, deleteDraft, listDrafts, updateDraft } = endpoints.messaging

/** The number of connections that wait for a lock. */
async function countWaiting(db: Pool): Promise<number> {
  const { rows } = await db.query<{ waiting: number }>(
    `select count(*) as waiting
       from pg_stat_activity
      where datname = current_database()
        and wait_event_type = 'Lock'`,
  )
  return rows[0]?.waiting ?? 0
}

export const draftTests = (system: () => TestSystem): void => {
  describe('drafts', () => {
    let ann: ApiClient
    let ben: ApiClient
    let watchers: Watcher[]
    let channel: { name: string; id: number }
    beforeAll(async () => {
      ;[ann, ben] = await newUsers(system(), 2)
      channel = await newChannel(ann)
      watchers = [await watch(ann), await watch(ben)]
    })
    afterAll(() => stopWatching(watchers))

    const toChannel = (content: string, timestamp = 1_600_000_000): NewDraft => ({
      type: 'stream',
      to: [channel.id],
      topic: 'lunch',
      content,
      timestamp,
    })
    const save = async (content: string, timestamp?: number): Promise<number> => {
      const { ids } = await ann.call(createDrafts, { drafts: [toChannel(content, timestamp)] })
      return ids[0] ?? 0
    }

    test('are created, updated and deleted, with events to the user’s own clients', async () => {
      let id = 0
      const [own, others] = await eventsOf(system(), watchers, async () => {
        id = await save('one')
        const draft: NewDraft = {
          type: 'private',
          to: [ben.userId],
          topic: '',
          content: 'two ',
          timestamp: 7.5,
        }
        expect(await ann.send(updateDraft, { draft_id: id, draft })).toMatchObject(success())
        expect(await ann.send(deleteDraft, { draft_id: id })).toMatchObject(success())
      })

      const second = { id, type: 'private', to: [ben.userId], topic: '', content: 'two', timestamp: 7 }
      expect(own).toEqual([
        { id: expect.any(Number), type: 'drafts', op: 'add', drafts: [{ id, ...toChannel('one') }] },
        { id: expect.any(Number), type: 'drafts', op: 'update', draft: second },
        { id: expect.any(Number), type: 'drafts', op: 'remove', draft_id: id },
      ])
      expect(others).toEqual([])
    })

    test('are listed from oldest to newest, and in register from newest to oldest', async () => {
      const [late, early] = [await save('late', 2_000_000_002), await save('early', 2_000_000_001)]

      const { count, drafts } = await ann.call(listDrafts, {})
      expect(count).toBe(drafts.length)
      expect(drafts.slice(-2).map(({ id }) => id)).toEqual([early, late])
      const state = await ann.call(endpoints.events.register, { fetch_event_types: ['drafts'] })
      expect((state['drafts'] as { id: number }[]).slice(0, 2).map(({ id }) => id)).toEqual([late, early])
    })

    test('are created all or not at all', async () => {
      const { count } = await ann.call(listDrafts, {})

      const drafts = [toChannel('x'), { ...toChannel('x'), to: [999_999] }]
      expect(await ann.send(createDrafts, { drafts })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ann.call(createDrafts, { drafts: [] })).toMatchObject({ ids: [] })
      expect(await ann.call(listDrafts, {})).toMatchObject({ count })
    })

    test('are limited to a thousand, even if more are added at once', async () => {
      const [cem] = await newUsers(system(), 1)
      const aDraft: NewDraft = { type: '', to: [], topic: '', content: 'x' }
      await cem.call(createDrafts, { drafts: Array(999).fill(aDraft) })

      const add = () => cem.send(createDrafts, { drafts: [aDraft] })
      const db = createPool(system().system.databaseUrls.messaging, 2, createLog('test', 'silent'))
      // Every save publishes: none ends before the others have come as far as they can.
      const outbox = await lockTable(db, 'outbox')
      const adding = Promise.all(Array.from({ length: 10 }, add))
      await until(async () => (await countWaiting(db)) >= 5)
      await outbox.release()
      await db.end()
      const answers = await adding
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await add()).toMatchObject(refusal('BAD_REQUEST', { msg: 'You can have at most 1000 drafts' }))
      expect(await cem.call(listDrafts, {})).toMatchObject({ count: 1_000 })
    })

    test.each([
      ['a channel that does not exist', { to: [999_999_999] }],
      ['two channels', { to: [1, 2] }],
      ['a user who does not exist', { type: 'private', to: [999_999_999] }],
      ['a key that is none', { color: 'red' }],
      ['an ID', { id: 1 }],
      ['no text', { content: ' ' }],
      ['a time before all times', { timestamp: -1 }],
      ['a type that is none', { type: 'channel' }],
      ['one addressee outside a list', { to: 1 }],
    ])('cannot have %s', async (_, changes) => {
      const drafts = JSON.stringify([{ ...toChannel('x'), ...changes }])

      expect(await ann.request('POST', '/drafts', [['drafts', drafts]])).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('cannot be for a private channel of other users', async () => {
      const hidden = await newChannel(ben, { isPrivate: true })

      const drafts = [{ ...toChannel('x'), to: [hidden.id] }]
      expect(await ann.send(createDrafts, { drafts })).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('cannot be changed by other users', async () => {
      const draft_id = await save('mine')
      const missing = refusal('BAD_REQUEST', {}, 404)

      expect(await ben.send(deleteDraft, { draft_id })).toMatchObject(missing)
      const draft: NewDraft = { type: '', to: [], topic: '', content: 'x' }
      expect(await ben.send(updateDraft, { draft_id, draft })).toMatchObject(missing)
      expect(await ann.send(deleteDraft, { draft_id: 999_999_999 })).toMatchObject(missing)
      expect((await ann.call(listDrafts, {})).drafts).toContainEqual({ id: draft_id, ...toChannel('mine') })
    })
  })
}
