import { endpoints, limits } from '@tms/contracts'
import { ApiClient, type TestSystem } from '@tms/test-kit'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newBotOf } from '../support/bots.ts'
import { newUsers } from '../support/users-and-channels.ts'

const { deactivateBot, getBotStorage, reactivateUser, removeBotStorage, updateBot, updateBotStorage } =
  endpoints.users
const { maxBotStorageCharacters, maxBotStorageKeyLength, maxBotStorageKeys } = limits
/** About the maximum of a request. */
const LARGE = 1_000_000
/** The error message that bots compare. */
const noSuchKey = refusal('BAD_REQUEST', { msg: 'Key does not exist.' })

export const botStorageTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let bot: ApiClient
  beforeAll(async () => {
    ;[ann, ben] = await newUsers(system(), 2)
  })
  beforeEach(async () => {
    bot = await newBotOf(ann)
  })
  const store = (storage: Record<string, string>, client = bot) => client.send(updateBotStorage, { storage })
  const stored = async (client = bot) => (await client.call(getBotStorage, {})).storage

  describe('the storage of a bot', () => {
    test('returns a value at once by key and in full, and keeps other keys', async () => {
      expect(await stored()).toEqual({})
      expect(await store({ a: '{"n":1}', '': '' })).toMatchObject(success())
      expect(await store({ a: '{"n":2}', 'ключ 🦉': 'Wert' })).toMatchObject(success())

      expect(await stored()).toEqual({ a: '{"n":2}', '': '', 'ключ 🦉': 'Wert' })
      expect(await bot.send(getBotStorage, { keys: ['a', 'a'] })).toMatchObject(
        success({ storage: { a: '{"n":2}' } }),
      )
      expect(await bot.call(getBotStorage, { keys: [] })).toEqual({ result: 'success', msg: '', storage: {} })
    })

    test('accepts JSON in form fields as existing programs send it', async () => {
      const put = await bot.request('PUT', '/bot_storage', [['storage', '{"count": "\\"7\\""}']])
      const get = await bot.request('GET', '/bot_storage', [['keys', '["count"]']])
      const remove = await bot.request('DELETE', '/bot_storage', [['keys', '["count"]']])

      expect(put).toMatchObject(success())
      expect(get).toMatchObject(success({ storage: { count: '"7"' } }))
      expect(remove).toMatchObject(success())
      expect(await bot.request('GET', '/bot_storage', [['keys', '["count"]']])).toMatchObject(noSuchKey)
    })

    test('rejects a deletion in full if one key is missing', async () => {
      await store({ a: '1', b: '2' })

      expect(await bot.send(getBotStorage, { keys: ['a', 'c'] })).toMatchObject(noSuchKey)
      expect(await bot.send(removeBotStorage, { keys: ['a', 'c'] })).toMatchObject(noSuchKey)
      expect(await stored()).toEqual({ a: '1', b: '2' })
    })

    test('deletes by key, or everything', async () => {
      await store({ a: '1', b: '2', c: '3' })

      expect(await bot.send(removeBotStorage, { keys: ['a'] })).toMatchObject(success())
      expect(await stored()).toEqual({ b: '2', c: '3' })
      expect(await bot.send(removeBotStorage, { keys: [] })).toMatchObject(success())
      expect(await stored()).toEqual({ b: '2', c: '3' })
      expect(await bot.send(removeBotStorage, {})).toMatchObject(success())
      expect(await stored()).toEqual({})
    })

    test('belongs to one bot: another bot of the same owner cannot read it', async () => {
      const other = await newBotOf(ann)
      await store({ a: 'mine' })
      await store({ a: 'theirs', b: 'more' }, other)

      expect(await stored()).toEqual({ a: 'mine' })
      await other.call(removeBotStorage, {})
      expect(await stored()).toEqual({ a: 'mine' })
    })

    test('is not available to users', async () => {
      for (const client of [ann, system().owner]) {
        expect(await store({ a: '1' }, client)).toMatchObject(refusal('BAD_REQUEST'))
        expect(await client.send(getBotStorage, {})).toMatchObject(refusal('BAD_REQUEST'))
        expect(await client.send(removeBotStorage, {})).toMatchObject(refusal('BAD_REQUEST'))
      }
    })

    test('accepts only texts, and stores nothing of a request that is partly wrong', async () => {
      for (const storage of ['{"a":1}', '{"a":null}', '{"a":{"b":"c"}}', '["a"]', '"a"', 'a', ''])
        expect(await bot.request('PUT', '/bot_storage', [['storage', storage]])).toMatchObject(
          refusal('BAD_REQUEST'),
        )
      const key = 'x'.repeat(maxBotStorageKeyLength)
      expect(await store({ [key]: '1' })).toMatchObject(success())
      expect(await store({ good: '1', [`${key}x`]: '1' })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await stored()).toEqual({ [key]: '1' })
    })

    test('rejects data beyond the limit, and says by how much, until there is room', async () => {
      const keys = [...'0123456789'].slice(0, maxBotStorageCharacters / LARGE)
      for (const key of keys) await bot.call(updateBotStorage, { storage: { [key]: key.repeat(LARGE - 1) } })

      expect(await store({ more: 'x' })).toMatchObject(
        refusal('BAD_REQUEST', { msg: expect.stringMatching(/10000005, 5 too many/) }),
      )
      expect(await bot.send(getBotStorage, { keys: ['more'] })).toMatchObject(noSuchKey)
      expect(await store({ '0': '', more: 'x' })).toMatchObject(success())
      const all = await stored()
      expect(Object.keys(all).sort()).toEqual([...keys, 'more'])
      expect(all['9']).toBe('9'.repeat(LARGE - 1))
    })

    test('rejects too many keys', async () => {
      const some = (from: number, count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${from + at}`, '']))
      for (let from = 0; from < maxBotStorageKeys; from += 25_000) await store(some(from, 25_000))

      expect(await store({ more: '' })).toMatchObject(
        refusal('BAD_REQUEST', { msg: expect.stringMatching(/100001/) }),
      )
      expect(await store({ k7: 'another value' })).toMatchObject(success())
    })

    test('respects the limit under concurrent requests', async () => {
      const half = 'x'.repeat(LARGE / 2)
      const answers = await Promise.all(
        Array.from({ length: 2 * (maxBotStorageCharacters / LARGE) + 2 }, (_, at) =>
          store({ [`${at}`]: half }),
        ),
      )

      // Twenty halves would be the limit, were it not for their keys.
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(19)
      expect(Object.keys(await stored())).toHaveLength(19)
    })

    test('remains while the bot is deactivated, and when its owner changes', async () => {
      await store({ a: '1' })
      await ann.call(deactivateBot, { bot_user_id: bot.userId })
      expect(await bot.send(getBotStorage, {})).toMatchObject(refusal('UNAUTHORIZED', {}, 401))
      await system().owner.call(reactivateUser, { user_id: bot.userId })
      expect(await stored()).toEqual({ a: '1' })

      const handedOver = await system().owner.call(updateBot, {
        bot_user_id: bot.userId,
        bot_owner_id: ben.userId,
      })
      const { email, userId } = bot
      const again = new ApiClient(system().baseUrl, { userId, email, apiKey: handedOver.api_key ?? '' })
      expect(await stored(again)).toEqual({ a: '1' })
      expect(await bot.send(getBotStorage, {})).toMatchObject(refusal('UNAUTHORIZED', {}, 401))
    })
  })
}
