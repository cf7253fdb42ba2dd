import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { endpoints } from '@tms/contracts'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { refusal, success } from '../support/answers.ts'
import { newUsers } from '../support/people.ts'
import { onePixel } from '../support/pictures.ts'

const { createBot, getUser, listBots } = endpoints.users
const UPLOADED = /^\/user_avatars\/\d+\/[0-9a-f]{40}\.png\?version=1$/
const GRAVATAR = /^https:\/\/secure\.gravatar\.com\//
const FIVE_MIB = 5 * 1024 * 1024

export const botAvatarTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  beforeAll(async () => {
    ann = (await newUsers(system(), 1))[0] as ApiClient
  })

  let bots = 0
  const nextNames = () => ({ full_name: `Pictured ${++bots}`, short_name: `pictured-${bots}` })
  /** Creates a bot by a form with files, as browsers send it. */
  const create = async (names: { full_name: string; short_name: string }, files: readonly Blob[]) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(names)) form.append(name, value)
    for (const [at, file] of files.entries()) form.append(`file-${at}`, file, file.size > 0 ? 'bot.png' : '')
    const response = await ann.fetch(`/api/v1${createBot.path}`, { method: 'POST', body: form })
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    }
  }
  const countFiles = async () =>
    (await readdir(fileURLToPath(system().system.uploadsUrl), { recursive: true })).length

  describe('POST /bots with a picture', () => {
    test('makes it the avatar that the bot begins with', async () => {
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
    ])('and %s gives it the picture that others begin with', async (_, files) => {
      expect(await create(nextNames(), files)).toMatchObject(
        success({ avatar_url: expect.stringMatching(GRAVATAR) }),
      )
    })

    test.each<[string, string, number, Blob[]]>([
      ['no picture', 'BAD_IMAGE', 400, [new Blob(['no picture'])]],
      ['two', 'BAD_REQUEST', 400, [new Blob([onePixel]), new Blob([onePixel])]],
      ['more than 5 MiB', 'BAD_REQUEST', 400, [new Blob([new Uint8Array(FIVE_MIB + 1)])]],
      ['much more', 'REQUEST_TOO_LARGE', 413, [new Blob([new Uint8Array(2 * FIVE_MIB)])]],
    ])('that is %s is refused, and nothing is made', async (_, code, status, files) => {
      const names = nextNames()
      const before = await countFiles()

      expect(await create(names, files)).toMatchObject(refusal(code, {}, status))
      const { bots: own } = await ann.call(listBots, {})
      expect(own.map(({ full_name }) => full_name)).not.toContain(names.full_name)
      expect(await countFiles()).toBe(before)
      expect(await create(names, [])).toMatchObject(success())
    })
  })
}
