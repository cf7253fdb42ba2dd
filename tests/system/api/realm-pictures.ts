import { endpoints, Role } from '@tms/contracts'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { onePixel } from '../support/pictures.ts'
import { newUsers } from '../support/users-and-channels.ts'

const { deleteIcon, deleteLogo, findIcon, findLogo, getServerSettings } = endpoints.realm
const png = { name: 'x.png', content: onePixel, type: 'image/png' }
const ICON = '/api/v1/realm/icon'
const LOGO = '/api/v1/realm/logo'
const UPLOADED = /^\/user_avatars\/\d+\/realm\/[0-9a-f]{32}\.png$/

export const realmPictureTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  let member: ApiClient
  beforeAll(async () => {
    owner = system().owner
    ;[member] = await newUsers(system(), 1)
  })
  afterEach(async () => {
    await owner.call(deleteIcon, {})
    for (const night of [true, false]) await owner.call(deleteLogo, { night })
  })
  const stateOf = async (client: ApiClient): Promise<Record<string, unknown>> =>
    (await registerQueue(client, { fetch_event_types: ['realm'] })).state
  const sizeAt = async (path: string) => {
    const shown = await fetch(system().baseUrl + path)
    expect(shown.headers.get('content-type')).toBe('image/png')
    const header = new DataView(await shown.arrayBuffer())
    return [header.getUint32(16), header.getUint32(20)]
  }

  describe('the organization icon', () => {
    test('is delivered to everyone, and served to anyone, until it is removed', async () => {
      const queue = await registerQueue(member, { event_types: ['realm'], fetch_event_types: ['realm'] })
      const { status, body } = await owner.uploadTo(ICON, png)

      expect([status, body['icon_url']]).toEqual([200, expect.stringMatching(UPLOADED)])
      const url = String(body['icon_url'])
      expect(await queue.waitFor(() => true)).toMatchObject({
        ...{ type: 'realm', op: 'update_dict', property: 'icon' },
        data: { icon_url: url, icon_source: 'U' },
      })
      expect(await stateOf(member)).toMatchObject({ realm_icon_url: url, realm_icon_source: 'U' })
      expect((await system().anonymous.call(getServerSettings, {})).realm_icon).toBe(url)
      expect(await sizeAt(url)).toEqual([100, 100])
      const found = await member.send(findIcon, {})
      expect([found.status, found.headers.get('location')]).toEqual([302, url])

      const { icon_url } = await owner.call(deleteIcon, {})
      expect(icon_url).toMatch(/gravatar/)
      const isGone = (event: object) => JSON.stringify(event).includes('"icon_source":"G"')
      expect(await queue.waitFor(isGone, 'the removal')).toMatchObject({ data: { icon_url } })
      expect(await stateOf(member)).toMatchObject({ realm_icon_url: icon_url, realm_icon_source: 'G' })
      expect((await fetch(system().baseUrl + url)).status).toBe(404)
      await queue.stop()
    })

    test('has a new URL after it was replaced', async () => {
      const first = (await owner.uploadTo(ICON, png)).body['icon_url']
      const second = (await owner.uploadTo(ICON, png)).body['icon_url']

      expect(second).not.toBe(first)
      expect(await sizeAt(String(second))).toEqual([100, 100])
    })
  })

  describe('logos', () => {
    test('exist for the light and the dark theme', async () => {
      const queue = await registerQueue(member, { event_types: ['realm'], fetch_event_types: ['realm'] })
      expect(await owner.uploadTo(LOGO, png)).toMatchObject(success())
      const light = await stateOf(member)
      expect(light).toMatchObject({
        realm_logo_url: expect.stringMatching(UPLOADED),
        realm_logo_source: 'U',
        realm_night_logo_url: '',
        realm_night_logo_source: 'D',
      })
      expect(await sizeAt(String(light['realm_logo_url']))).toEqual([1, 1])

      expect(await owner.uploadTo(`${LOGO}?night=true`, png)).toMatchObject(success())
      const night_logo_url = (await stateOf(member))['realm_night_logo_url']
      expect(night_logo_url).toMatch(UPLOADED)
      const found = await member.send(findLogo, { night: true })
      expect(found.headers.get('location')).toBe(night_logo_url)
      await queue.until(() => queue.events.length >= 2, 'both')
      expect(queue.events.map(({ property, data }) => ({ property, data }))).toEqual([
        { property: 'logo', data: { logo_url: light['realm_logo_url'], logo_source: 'U' } },
        { property: 'night_logo', data: { night_logo_url, night_logo_source: 'U' } },
      ])

      await owner.call(deleteLogo, { night: true })
      expect(await stateOf(member)).toMatchObject({
        realm_logo_url: light['realm_logo_url'],
        realm_night_logo_url: '',
        realm_night_logo_source: 'D',
      })
      expect((await member.send(findLogo, { night: true })).status).toBe(404)
      await queue.stop()
    })

    test.each(['before', 'after'])('name their theme in a field %s the file', async (position) => {
      const body = new FormData()
      if (position === 'before') body.append('night', 'true')
      body.append('file', new Blob([onePixel], { type: 'image/png' }), 'x.png')
      if (position === 'after') body.append('night', 'true')
      body.append('unknown', 'x')

      const answer = await owner.fetch(LOGO, { method: 'POST', body })
      expect(await answer.json()).toEqual({
        result: 'success',
        msg: '',
        ignored_parameters_unsupported: ['unknown'],
      })
      expect(await stateOf(member)).toMatchObject({ realm_logo_source: 'D', realm_night_logo_source: 'U' })
    })

    test('with an invalid field change nothing', async () => {
      const body = new FormData()
      body.append('file', new Blob([onePixel], { type: 'image/png' }), 'x.png')
      body.append('night', 'perhaps')

      const answer = await owner.fetch(LOGO, { method: 'POST', body })
      expect([answer.status, await answer.json()]).toEqual([
        400,
        expect.objectContaining({ code: 'BAD_REQUEST' }),
      ])
      expect(await stateOf(member)).toMatchObject({ realm_logo_source: 'D', realm_night_logo_source: 'D' })
    })
  })

  test.each([
    ['text', [{ name: 'x.png', content: 'hello' }], 'BAD_IMAGE'],
    ['a drawing', [{ name: 'x.png', content: '<svg xmlns="http://www.w3.org/2000/svg"/>' }], 'BAD_IMAGE'],
    ['two files', [png, png], 'BAD_REQUEST'],
    ['more than 5 MiB', [{ name: 'x.png', content: new Uint8Array(5_300_000) }], 'BAD_REQUEST'],
  ])('%s is not a picture of an organization', async (_, files, code) => {
    expect(await owner.uploadTo(ICON, ...files)).toMatchObject(refusal(code))
    expect(await owner.uploadTo(LOGO, ...files)).toMatchObject(refusal(code))
  })

  test.each([
    ['administrator', true],
    ['moderator', false],
    ['member', false],
    ['guest', false],
  ] as const)('a %s changes the pictures: %s', async (name, may) => {
    const client = await system().createUser(undefined, { role: Role[name] })

    for (const answer of [
      await client.uploadTo(ICON, png),
      await client.uploadTo(LOGO, png),
      await client.send(deleteIcon, {}),
      await client.send(deleteLogo, {}),
    ])
      expect(answer).toMatchObject(may ? success() : refusal('UNAUTHORIZED_PRINCIPAL'))
    expect((await client.send(findIcon, {})).status).toBe(302)
  })

  test.each(['none.png', '..%2f..%2fx.png', `${'0'.repeat(32)}.png`])(
    'there is no picture at %s',
    async (file) => {
      expect((await fetch(`${system().baseUrl}/user_avatars/1/realm/${file}`)).status).toBe(404)
    },
  )
}
