import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { endpoints } from '@tms/contracts'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { onePixel } from '../support/pictures.ts'
import { newUsers } from '../support/users-and-channels.ts'

const { createBot, getUser, listBots, updateBot } = endpoints.users
const UPLOADED = /^\/user_avatars\/\d+\/[0-9a-f]{40}\.png\?version=1$/
const CHANGED = /^\/user_avatars\/\d+\/[0-9a-f]{40}\.png\?version=2$/
const GRAVATAR = /^https:\/\/secure\.gravatar\.com\//
const FIVE_MIB = 5 * 1024 * 1024

export const botAvatarTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  beforeAll(async () => {
    ;[ann] = await newUsers(system(), 1)
  })

  let bots = 0
  const nextFullName = () => ({ full_name: nextNames().full_name })
  const nextNames = () => ({ full_name: `Pictured ${++bots}`, short_name: `pictured-${bots}` })
  /** Sends a form with files, as browsers do. */
  const sendForm = async (
    client: ApiClient,
    [method, path]: readonly [string, string],
    fields: Record<string, string>,
    files: readonly Blob[],
  ) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    for (const [at, file] of files.entries()) form.append(`file-${at}`, file, file.size > 0 ? 'bot.png' : '')
    const response = await client.fetch(`/api/v1${path}`, { method, body: form })
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    }
  }
  const create = (names: ReturnType<typeof nextNames>, files: readonly Blob[]) =>
    sendForm(ann, [createBot.method, createBot.path], names, files)
  const newBot = async () => (await ann.call(createBot, nextNames())).user_id
  const change = (id: number, fields: Record<string, string>, files: readonly Blob[], client = ann) =>
    sendForm(client, [updateBot.method, `/bots/${id}`], fields, files)
  const avatarOf = async (user_id: number) => (await ann.call(getUser, { user_id })).user.avatar_url
  const countFiles = async () =>
    (await readdir(fileURLToPath(system().system.uploadsUrl), { recursive: true })).length

  describe('POST /bots with a picture', () => {
    test('makes it the first avatar of the bot', async () => {
      const queue = (await registerQueue(ann, { event_types: ['realm_bot'] })).follow()
      const answer = await create(nextNames(), [new Blob([onePixel])])
      const url = String(answer.body['avatar_url'])

      expect(answer).toMatchObject(success({ avatar_url: expect.stringMatching(UPLOADED) }))
      for (const address of [url, url.replace('.png', '-medium.png')]) {
        expect((await fetch(system().baseUrl + address)).status).toBe(200)
      }
      const { user } = await ann.call(getUser, { user_id: Number(answer.body['user_id']) })
      expect(user).toMatchObject({ avatar_url: url, avatar_version: 1, is_bot: true })
      await queue.until(() => queue.events.some(({ type }) => type === 'realm_bot'))
      expect(queue.events.find(({ type }) => type === 'realm_bot')).toMatchObject({
        op: 'add',
        bot: { avatar_url: url },
      })
      await queue.stop()
    })

    test.each<[string, Blob[]]>([
      ['no file', []],
      ['a file that nobody chose', [new Blob([])]],
    ])('and %s uses the default picture', async (_, files) => {
      expect(await create(nextNames(), files)).toMatchObject(
        success({ avatar_url: expect.stringMatching(GRAVATAR) }),
      )
    })

    test.each<[string, string, number, Blob[]]>([
      ['no picture', 'BAD_IMAGE', 400, [new Blob(['no picture'])]],
      ['two', 'BAD_REQUEST', 400, [new Blob([onePixel]), new Blob([onePixel])]],
      ['more than 5 MiB', 'BAD_REQUEST', 400, [new Blob([new Uint8Array(FIVE_MIB + 1)])]],
      ['much more', 'BAD_REQUEST', 400, [new Blob([new Uint8Array(2 * FIVE_MIB)])]],
    ])('rejects %s, and creates nothing', async (_, code, status, files) => {
      const names = nextNames()
      const before = await countFiles()

      expect(await create(names, files)).toMatchObject(refusal(code, {}, status))
      const { bots: own } = await ann.call(listBots, {})
      expect(own.map(({ full_name }) => full_name)).not.toContain(names.full_name)
      expect(await countFiles()).toBe(before)
      expect(await create(names, [])).toMatchObject(success())
    })
  })

  describe('PATCH /bots/{bot_user_id} with a picture', () => {
    test('makes it the avatar, applies the other changes, and delivers an event', async () => {
      const id = await newBot()
      const queue = (await registerQueue(ann, { event_types: ['realm_bot', 'realm_user'] })).follow()
      const { full_name } = nextNames()

      const answer = await change(id, { full_name }, [new Blob([onePixel])])

      const avatar_url = String(answer.body['avatar_url'])
      expect(answer).toMatchObject(success({ full_name, avatar_url: expect.stringMatching(CHANGED) }))
      expect((await fetch(system().baseUrl + avatar_url)).status).toBe(200)
      expect(await avatarOf(id)).toBe(avatar_url)
      await queue.waitFor(
        ({ type, bot }) => type === 'realm_bot' && (bot as { avatar_url?: string }).avatar_url === avatar_url,
      )
      await queue.waitFor(
        ({ type, person }) =>
          type === 'realm_user' && (person as { avatar_url?: string }).avatar_url === avatar_url,
      )
      await queue.stop()
    })

    test('and no file keeps the current avatar', async () => {
      const id = await newBot()
      const { body } = await change(id, {}, [new Blob([onePixel])])

      expect(await change(id, nextFullName(), [new Blob([])])).toMatchObject(
        success({ avatar_url: body['avatar_url'] }),
      )
    })

    test('rejects an invalid image and a caller who does not manage the bot, and stores nothing', async () => {
      const id = await newBot()
      const before = [await avatarOf(id), await countFiles()]
      const [outsider] = await newUsers(system(), 1)

      expect(await change(id, nextFullName(), [new Blob(['no picture'])])).toMatchObject(refusal('BAD_IMAGE'))
      expect(await change(id, {}, [new Blob([onePixel])], outsider)).toMatchObject(refusal('BAD_REQUEST'))
      expect([await avatarOf(id), await countFiles()]).toEqual(before)
    })
  })
}
