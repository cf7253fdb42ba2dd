import { endpoints, limits, type SavedSnippetRecord } from '@tms/contracts'
import { createLog, createPool } from '@tms/service-kit'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountEventsOf } from '../support/account-events.ts'
import { refusal, success } from '../support/answers.ts'
import { newUsers } from '../support/users-and-channels.ts'
import { stopWatching, type Watcher, watch } from '../support/watch.ts'

const { createSavedSnippet, deleteSavedSnippet, listSavedSnippets, updateSavedSnippet } = endpoints.users
const { maxMessageLength, maxSavedSnippetCharacters, maxSavedSnippetTitleLength, maxSavedSnippets } = limits

/** The most that one saved snippet can have. */
const LARGEST = maxSavedSnippetTitleLength + maxMessageLength

export const savedSnippetTests = (system: () => TestSystem): void => {
  describe('saved snippets', () => {
    let ann: ApiClient
    let ben: ApiClient
    let watchers: Watcher[]
    beforeAll(async () => {
      ;[ann, ben] = await newUsers(system(), 2)
      watchers = [await watch(ann), await watch(ben)]
    })
    afterAll(() => stopWatching(watchers))

    const save = async (client: ApiClient, title: string, content: string): Promise<number> =>
      (await client.call(createSavedSnippet, { title, content })).saved_snippet_id
    const listOf = async (client: ApiClient): Promise<SavedSnippetRecord[]> =>
      (await client.call(listSavedSnippets, {})).saved_snippets

    test('are created, changed and deleted, with events to the user’s own clients', async () => {
      let id = 0
      const [own, others] = await accountEventsOf(watchers, async () => {
        id = await save(ann, ' Welcome ', ' Hello, and **welcome**!\n')
        const change = { saved_snippet_id: id, title: 'Greeting' }
        expect(await ann.send(updateSavedSnippet, change)).toMatchObject(success())
        expect(await ann.send(updateSavedSnippet, { saved_snippet_id: id, content: 'Hi' })).toMatchObject(
          success(),
        )
        expect(await ann.send(deleteSavedSnippet, { saved_snippet_id: id })).toMatchObject(success())
      })

      const first = { id, title: 'Welcome', content: ' Hello, and **welcome**!\n' }
      const date_created = expect.any(Number)
      const event = (op: string, rest: object) => ({
        ...{ id: expect.any(Number), type: 'saved_snippets', op },
        ...rest,
      })
      expect(own).toEqual([
        event('add', { saved_snippet: { ...first, date_created } }),
        event('update', { saved_snippet: { ...first, title: 'Greeting', date_created } }),
        event('update', { saved_snippet: { id, title: 'Greeting', content: 'Hi', date_created } }),
        event('remove', { saved_snippet_id: id }),
      ])
      expect(others).toEqual([])
    })

    test('keep when they were created, and are listed oldest first, also in register', async () => {
      const before = Math.floor(Date.now() / 1_000)
      const [first, second] = [await save(ann, 'first', '1'), await save(ann, 'second', '2')]
      await ann.call(updateSavedSnippet, { saved_snippet_id: first, content: '3' })

      const listed = await listOf(ann)
      expect(listed.map(({ id, content }) => ({ id, content }))).toEqual([
        { id: first, content: '3' },
        { id: second, content: '2' },
      ])
      for (const { date_created } of listed) expect(date_created).toBeGreaterThanOrEqual(before)
      const state = await ann.call(endpoints.events.register, { fetch_event_types: ['saved_snippets'] })
      expect(state['saved_snippets']).toEqual(listed)
    })

    test('that are changed to what they are send no event', async () => {
      const id = await save(ann, 'same', 'as before')

      const [own] = await accountEventsOf(watchers, async () => {
        const same = { saved_snippet_id: id, title: 'same ', content: 'as before' }
        expect(await ann.send(updateSavedSnippet, same)).toMatchObject(success())
        expect(await ann.send(updateSavedSnippet, { saved_snippet_id: id })).toMatchObject(success())
      })
      expect(own).toEqual([])
    })

    test.each([
      ['a blank title', { title: ' \t' }],
      ['a long title', { title: '🦉'.repeat(maxSavedSnippetTitleLength + 1) }],
      ['no content', { content: '' }],
      ['blank content', { content: '\n ' }],
      ['long content', { content: 'x'.repeat(maxMessageLength + 1) }],
    ])('cannot have %s', async (_, change) => {
      const id = await save(ann, 'valid', 'valid')
      const before = await listOf(ann)

      const created = await ann.send(createSavedSnippet, { title: 'valid', content: 'valid', ...change })
      expect(created).toMatchObject(refusal('BAD_REQUEST'))
      const changed = await ann.send(updateSavedSnippet, { saved_snippet_id: id, ...change })
      expect(changed).toMatchObject(refusal('BAD_REQUEST'))
      expect(await listOf(ann)).toEqual(before)
    })

    test('can have the longest title and content', async () => {
      const title = '🦉'.repeat(maxSavedSnippetTitleLength)
      const content = '🦉'.repeat(maxMessageLength)

      const id = await save(ben, title, content)
      expect(await listOf(ben)).toContainEqual({ id, title, content, date_created: expect.any(Number) })
    })

    test('of other users do not exist', async () => {
      const saved_snippet_id = await save(ann, 'mine', 'mine')
      const missing = refusal('BAD_REQUEST', { msg: 'Saved snippet does not exist' }, 404)

      expect(await ben.send(deleteSavedSnippet, { saved_snippet_id })).toMatchObject(missing)
      expect(await ben.send(updateSavedSnippet, { saved_snippet_id, title: 'ours' })).toMatchObject(missing)
      expect(await ann.send(deleteSavedSnippet, { saved_snippet_id: 3_000_000_000 })).toMatchObject(missing)
      expect((await listOf(ben)).map(({ title }) => title)).not.toContain('mine')
      expect(await listOf(ann)).toContainEqual(expect.objectContaining({ title: 'mine', content: 'mine' }))
    })

    test('are limited in number, even if more are created at once', async () => {
      const [cem] = await newUsers(system(), 1)
      const db = createPool(system().system.databaseUrls.users, 1, createLog('test', 'silent'))
      await db.query(
        `insert into saved_snippets (user_id, title, content) select $1, 'x', 'x' from generate_series(1, $2)`,
        [cem.userId, maxSavedSnippets - 1],
      )
      await db.end()

      const answers = await Promise.all(
        Array.from({ length: 5 }, () => cem.send(createSavedSnippet, { title: 'more', content: 'x' })),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await cem.send(createSavedSnippet, { title: 'more', content: 'x' })).toMatchObject(
        refusal('BAD_REQUEST', { msg: `You can have at most ${maxSavedSnippets} saved snippets` }),
      )
      expect(await listOf(cem)).toHaveLength(maxSavedSnippets)
    })

    test('are limited in all, also by a change', async () => {
      const [deb] = await newUsers(system(), 1)
      const title = 't'.repeat(maxSavedSnippetTitleLength)
      const content = 'x'.repeat(maxMessageLength)
      const fitting = Math.floor(maxSavedSnippetCharacters / LARGEST)
      for (let at = 0; at < fitting; at++) await save(deb, title, content)
      const left = maxSavedSnippetCharacters - fitting * LARGEST
      const last = await save(deb, 't', 'x'.repeat(left - 1))

      const tooMany = refusal('BAD_REQUEST', { msg: expect.stringContaining('1000001') })
      expect(await deb.send(updateSavedSnippet, { saved_snippet_id: last, title: 'tt' })).toMatchObject(
        tooMany,
      )
      expect((await listOf(deb)).at(-1)).toMatchObject({ title: 't' })
    })

    test('are not for spectators', async () => {
      expect(await system().anonymous.send(listSavedSnippets, {})).toMatchObject({ status: 401 })
    })
  })
}
