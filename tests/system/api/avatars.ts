import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endpoints, Role } from '@tms/contracts'
import { type ApiClient, registerQueue, type TestSystem, type UploadedFile } from '@tms/test-kit'
import { afterAll, describe, expect, test } from 'vitest'
import { accountEventsOf } from '../support/account-events.ts'
import { refusal, success } from '../support/answers.ts'
import { onePixel, twoFrames } from '../support/pictures.ts'
import { until } from '../support/until.ts'
import { newUserOfRole, newUsers } from '../support/users-and-channels.ts'
import { stopWatching, watch } from '../support/watch.ts'

const { deleteOwnAvatar, getOwnUser, getUser, updateSettings } = endpoints.users
const { updateRealm } = endpoints.realm
const PATH = '/api/v1/users/me/avatar'
const UPLOADED = /^\/user_avatars\/(\d+)\/([0-9a-f]{40})\.png\?version=\d+$/

export const avatarTests = (system: () => TestSystem): void => {
  const newUser = async () => (await newUsers(system(), 1))[0]
  const upload = (client: ApiClient, picture: Partial<UploadedFile> = {}) =>
    client.uploadTo(PATH, { name: 'me.png', content: onePixel, ...picture })
  const urlOf = async (client: ApiClient) => String((await client.call(getOwnUser, {})).avatar_url)
  const md5 = (text: string) => createHash('md5').update(text.toLowerCase()).digest('hex')
  const gravatarOf = ({ email }: ApiClient, version: number) =>
    `https://secure.gravatar.com/avatar/${md5(email)}?d=identicon&version=${version}`
  /** The avatar files of this organization, without their endings. */
  const storedFiles = async (realmId: string): Promise<string[]> => {
    const names = await readdir(join(fileURLToPath(system().system.uploadsUrl), 'avatars', realmId))
    return names.map((name) => name.replace(/(-medium)?\.\w+$/, ''))
  }

  describe('POST /users/me/avatar', () => {
    test('gives everyone a picture in two sizes at a permanent URL', async () => {
      const [ann, ben] = await newUsers(system(), 2)

      const answer = await upload(ann)
      const url = String(answer.body['avatar_url'])

      expect(answer).toMatchObject(success({ avatar_url: expect.stringMatching(UPLOADED) }))
      for (const client_gravatar of [true, false]) {
        const { user } = await ben.call(getUser, { user_id: ann.userId, client_gravatar })
        expect(user).toMatchObject({ avatar_url: url, avatar_version: 2 })
      }
      const medium = url.replace('.png', '-medium.png')
      expect((await registerQueue(ann)).state).toMatchObject({
        avatar_source: 'U',
        avatar_url: url,
        avatar_url_medium: medium,
      })
      for (const address of [url, medium]) {
        const file = await fetch(system().baseUrl + address)
        expect(file.status).toBe(200)
        expect(Object.fromEntries(file.headers)).toMatchObject({
          'content-type': 'image/png',
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
        })
        const bytes = Buffer.from(await file.arrayBuffer())
        const side = address === medium ? 500 : 100
        expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([side, side])
      }
    })

    test('is delivered to everyone, as is its removal', async () => {
      const [ann, ben] = await newUsers(system(), 2)
      const watchers = await Promise.all(
        [ann, ben].map((client) => watch(client, { event_types: ['alert_words', 'realm_user'] })),
      )

      const delivered = await accountEventsOf(watchers, async () => {
        await upload(ann)
        expect(await ann.send(deleteOwnAvatar, {})).toMatchObject(success({ avatar_url: gravatarOf(ann, 3) }))
        // It has been removed.
        expect(await ann.send(deleteOwnAvatar, {})).toMatchObject(success({ avatar_url: gravatarOf(ann, 3) }))
      })

      const user_id = ann.userId
      for (const events of delivered)
        expect(events.map(({ person }) => person)).toEqual([
          {
            user_id,
            avatar_source: 'U',
            avatar_url: expect.stringMatching(UPLOADED),
            avatar_url_medium: expect.stringMatching(/-medium\.png\?version=2$/),
            avatar_version: 2,
          },
          {
            user_id,
            avatar_source: 'G',
            avatar_url: gravatarOf(ann, 3),
            avatar_url_medium: gravatarOf(ann, 3).replace('&version', '&s=500&version'),
            avatar_version: 3,
          },
        ])
      await stopWatching(watchers)
    })

    test('replaces the previous picture and deletes its files', async () => {
      const ann = await newUser()
      const first = String((await upload(ann)).body['avatar_url'])
      const second = String((await upload(ann, { content: twoFrames })).body['avatar_url'])

      expect(second).not.toBe(first)
      const [, realmId = '', file = ''] = UPLOADED.exec(first) ?? []
      // A job deletes its files.
      await until(async () => (await fetch(system().baseUrl + first)).status === 404)
      await until(async () => !(await storedFiles(realmId)).includes(file))
      expect((await fetch(system().baseUrl + second)).status).toBe(200)
      await ann.call(deleteOwnAvatar, {})
      await until(async () => (await fetch(system().baseUrl + second)).status === 404)
    })

    test('leaves one complete picture after concurrent uploads', async () => {
      const ann = await newUser()

      const answers = await Promise.all(Array.from({ length: 6 }, () => upload(ann)))

      const urls = answers.map(({ body }) => String(body['avatar_url']))
      const kept = await urlOf(ann)
      expect(new Set(urls).size).toBe(6)
      expect(kept).toMatch(/version=7$/)
      const [, realmId = ''] = UPLOADED.exec(kept) ?? []
      const filesOf = (url: string) => UPLOADED.exec(url)?.[2] ?? ''
      // Jobs delete the files of the others.
      await until(async () => {
        const stored = await storedFiles(realmId)
        return urls.filter((url) => stored.includes(filesOf(url))).join() === kept
      })
      expect((await fetch(system().baseUrl + kept)).status).toBe(200)
    })

    test('takes the file from a field with any name', async () => {
      const ann = await newUser()
      const form = new FormData()
      form.append('something', new Blob([onePixel]), 'me.png')

      expect((await ann.fetch(PATH, { method: 'POST', body: form })).status).toBe(200)
    })

    test.each<[string, string, UploadedFile[]]>([
      ['no file', 'BAD_REQUEST', []],
      ['two files', 'BAD_REQUEST', Array.from({ length: 2 }, () => ({ name: 'a.png', content: onePixel }))],
      ['text', 'BAD_IMAGE', [{ name: 'a.png', content: 'no picture', type: 'image/png' }]],
      ['an empty file', 'BAD_IMAGE', [{ name: 'a.png', content: '' }]],
      [
        'a drawing',
        'BAD_IMAGE',
        [{ name: 'a.svg', content: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>' }],
      ],
      ['more than 5 MiB', 'BAD_REQUEST', [{ name: 'a.png', content: new Uint8Array(5 * 1024 * 1024 + 1) }]],
    ])('rejects %s', async (_, code, files) => {
      const ann = await newUser()

      expect(await ann.uploadTo(PATH, ...files)).toMatchObject(refusal(code))
      expect(await urlOf(ann)).toBe(gravatarOf(ann, 1))
    })
  })

  describe('GET /user_avatars', () => {
    test.each([
      'x.png',
      `${'0'.repeat(40)}.png`,
      `${'0'.repeat(40)}.original`,
      '..%2f..%2fetc%2fpasswd',
      '%00',
      `${'0'.repeat(40)}-medium.png%2f..`,
    ])('has no %s', async (name) => {
      const { status } = await fetch(`${system().baseUrl}/user_avatars/1/${name}`)

      expect([400, 404]).toContain(status)
    })

    test('hides the original, which may contain a location', async () => {
      const ann = await newUser()
      const url = String((await upload(ann)).body['avatar_url']).replace(/\.png.*/, '.original')

      expect((await fetch(system().baseUrl + url)).status).toBe(404)
    })
  })

  describe('GET /avatar', () => {
    const sentTo = async (client: ApiClient, path: string) => {
      const answer = await client.fetch(`/avatar/${path}`)
      return [answer.status, answer.headers.get('location')]
    }

    test('redirects to the current avatar', async () => {
      const [ann, ben] = await newUsers(system(), 2)
      const large = gravatarOf(ann, 1).replace('&version', '&s=500&version')

      expect(await sentTo(ben, `${ann.userId}`)).toEqual([302, gravatarOf(ann, 1)])
      expect(await sentTo(ben, `${ann.email.toUpperCase()}/medium`)).toEqual([302, large])
      const url = String((await upload(ann)).body['avatar_url'])
      expect(await sentTo(ben, `${ann.email}`)).toEqual([302, url])
      expect(await sentTo(ben, `${ann.userId}/medium`)).toEqual([302, url.replace('.png', '-medium.png')])
    })

    test('finds users by the API e-mail, not by a hidden address', async () => {
      const [ann, ben] = await newUsers(system(), 2)
      await upload(ann)
      await ann.call(updateSettings, { email_address_visibility: 4 })
      const { email, avatar_url } = await ann.call(getOwnUser, {})

      expect(await sentTo(ben, email)).toEqual([302, avatar_url])
      expect(await sentTo(ben, ann.email)).toEqual([302, gravatarOf(ann, 1)])
    })

    test.each(['999999999', 'nobody@example.com', '99999999999999999999'])(
      'redirects to a gravatar for an unknown user: %s',
      async (nobody) => {
        const ann = await newUser()

        const [status, location] = await sentTo(ann, nobody)

        expect(status).toBe(302)
        expect(location).toContain(`https://secure.gravatar.com/avatar/${md5(nobody)}`)
      },
    )
  })

  describe('an organization where only administrators change avatars', () => {
    afterAll(() => system().owner.call(updateRealm, { avatar_changes_disabled: false }))

    test('rejects changes by others', async () => {
      const roles = Object.values(Role).filter((role) => role !== Role.owner)
      const members = await Promise.all(roles.map((role) => newUserOfRole(system(), role)))
      for (const person of members) await upload(person)
      await system().owner.call(updateRealm, { avatar_changes_disabled: true })

      for (const [index, person] of members.entries()) {
        const before = await urlOf(person)
        const isAllowed = (roles[index] ?? 0) <= Role.administrator
        const expected = isAllowed ? success() : refusal('BAD_REQUEST')
        expect([roles[index], await upload(person)]).toMatchObject([roles[index], expected])
        expect([roles[index], await person.send(deleteOwnAvatar, {})]).toMatchObject([roles[index], expected])
        expect((await urlOf(person)) === before).toBe(!isAllowed)
      }
    })
  })
}
