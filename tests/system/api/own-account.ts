import { emailHostOf, endpoints, Role, settingDefinitions } from '@tms/contracts'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountEventsOf } from '../support/account-events.ts'
import { refusal, success } from '../support/answers.ts'
import { newUserOfRole, newUsers } from '../support/users-and-channels.ts'
import { stopWatching, watch } from '../support/watch.ts'

const { fetchApiKey, getOwnUser, getUser, getUserByEmail, listUsers } = endpoints.users
const { updateRealm } = endpoints.realm

const NEW_PASSWORD = 'violet otter bicycle 42'
const passwordOf = ({ email }: ApiClient): string => `password of ${email}`

/** Settings that clients without the settings object receive by an older event, and by which. */
const DISPLAY = [
  'color_scheme',
  'default_language',
  'web_home_view',
  'demote_inactive_streams',
  'dense_mode',
  'emojiset',
  'enable_drafts_synchronization',
  'enter_sends',
  'fluid_layout_width',
  'high_contrast_mode',
  'left_side_userlist',
  'starred_message_counts',
  'translate_emoticons',
  'twenty_four_hour_time',
  'timezone',
]
const NOTIFICATIONS = [
  'desktop_icon_count_display',
  'email_notifications_batching_period_seconds',
  'notification_sound',
  'presence_enabled',
  'realm_name_in_email_notifications_policy',
  'wildcard_mentions_notify',
  'message_content_in_email_notifications',
  'pm_content_in_desktop_notifications',
  'enable_stream_desktop_notifications',
  'enable_stream_email_notifications',
  'enable_stream_push_notifications',
  'enable_stream_audible_notifications',
  'enable_desktop_notifications',
  'enable_sounds',
  'enable_offline_email_notifications',
  'enable_offline_push_notifications',
  'enable_online_push_notifications',
  'enable_digest_emails',
  'enable_marketing_emails',
  'enable_login_emails',
]
const withSettingsObject = { notification_settings_null: true, user_settings_object: true }
const OWN_TYPES = [
  'alert_words',
  'realm_user',
  'user_settings',
  'update_display_settings',
  'update_global_notifications',
]

export const ownAccountTests = (system: () => TestSystem): void => {
  const change = (client: ApiClient, fields: Record<string, string>, path = '/settings') =>
    client.request('PATCH', path, Object.entries(fields))
  const signIn = (username: string, password: string) =>
    system().anonymous.send(fetchApiKey, { username, password })
  const stateOf = async (client: ApiClient) => (await registerQueue(client)).state
  const fullNameOf = async (client: ApiClient) => (await client.call(getOwnUser, {})).full_name
  const newUser = async (options = {}) => (await newUsers(system(), 1, options))[0]

  describe('PATCH /settings, each setting of the table', () => {
    const samples = [
      ...settingDefinitions.map(([name, { default: standard, allowed }]): [string, string] => {
        if (typeof standard === 'boolean') return [name, String(!standard)]
        if (allowed && 'min' in allowed)
          return [name, String(Number(standard) + (standard === allowed.max ? -1 : 1))]
        return [name, String(allowed?.find((value) => value !== standard))]
      }),
      ['timezone', 'Europe/Berlin'] as [string, string],
    ]

    test('is accepted, stored, and delivered by its event and the older one', async () => {
      const ann = await newUser()
      const watchers = [
        await watch(ann, { event_types: OWN_TYPES, client_capabilities: withSettingsObject }),
        await watch(ann, { event_types: OWN_TYPES }),
      ]

      const [own = [], older = []] = await accountEventsOf(watchers, async () => {
        for (const [name, value] of samples) {
          const answer = await change(ann, { [name]: value })
          expect([name, answer]).toMatchObject([name, success()])
          expect([name, answer.body]).toEqual([name, { result: 'success', msg: '' }])
        }
      })

      const changes = own.filter(({ type }) => type === 'user_settings')
      expect(changes.map(({ op, property, value }) => [op, property, String(value)])).toEqual(
        samples.map(([name, value]) => ['update', name, value]),
      )
      const namesOf = (type: string, key: string) =>
        older.filter((event) => event.type === type).map((event) => String(event[key]))
      expect(namesOf('update_display_settings', 'setting_name').sort()).toEqual([...DISPLAY].sort())
      expect(namesOf('update_global_notifications', 'notification_name').sort()).toEqual(
        [...NOTIFICATIONS].sort(),
      )
      const state = await stateOf(ann)
      const settings = state['user_settings'] as Record<string, unknown>
      for (const [name, value] of samples) expect([name, String(settings[name])]).toEqual([name, value])
      for (const name of [...DISPLAY, ...NOTIFICATIONS])
        expect([name, state[name]]).toEqual([name, settings[name]])
      await stopWatching(watchers)
    })

    test.each(['/settings/display', '/settings/notifications'])('is also accepted at %s', async (path) => {
      const ann = await newUser()

      const fields = { enter_sends: 'true', enable_sounds: 'false', full_name: 'Ann by another path' }
      expect(await change(ann, fields, path)).toMatchObject(success())

      const { user_settings } = await stateOf(ann)
      expect(user_settings).toMatchObject({ enter_sends: true, enable_sounds: false })
      expect(await fullNameOf(ann)).toBe('Ann by another path')
    })
  })

  describe('PATCH /settings, the name', () => {
    test('is delivered to everyone, once', async () => {
      const [ann, ben] = await newUsers(system(), 2)
      const watchers = [
        await watch(ann, { event_types: OWN_TYPES }),
        await watch(ben, { event_types: OWN_TYPES }),
      ]

      const delivered = await accountEventsOf(watchers, async () => {
        expect(await change(ann, { full_name: '  Ann of Green Gables ' })).toMatchObject(success())
        expect(await change(ann, { full_name: 'Ann of Green Gables' })).toMatchObject(success())
      })

      const person = { user_id: ann.userId, full_name: 'Ann of Green Gables' }
      for (const events of delivered)
        expect(events).toMatchObject([{ type: 'realm_user', op: 'update', person }])
      expect((await ben.call(getUser, { user_id: ann.userId })).user.full_name).toBe('Ann of Green Gables')
      await stopWatching(watchers)
    })

    test.each(['', 'x', 'a'.repeat(101), 'a*b', 'a\\b', 'a\u202eb', 'Ann|7', '\ud800', 'x'.repeat(500_000)])(
      'rejects %j, and changes nothing',
      async (full_name) => {
        const ann = await newUser()
        const before = await fullNameOf(ann)

        const answer = await change(ann, { full_name: full_name, enter_sends: 'true' })

        expect(answer).toMatchObject(refusal('BAD_REQUEST'))
        expect(await fullNameOf(ann)).toBe(before)
        expect((await stateOf(ann))['user_settings']).toMatchObject({ enter_sends: false })
      },
    )
  })

  describe('restrictions of the organization', () => {
    afterAll(async () => {
      await system().owner.call(updateRealm, {
        name_changes_disabled: false,
        email_changes_disabled: false,
        avatar_changes_disabled: false,
        require_unique_names: false,
      })
    })

    test('let only administrators change names, without saying so to others', async () => {
      const [member, administrator] = [await newUser(), await newUserOfRole(system(), Role.administrator)]
      await system().owner.call(updateRealm, { name_changes_disabled: true })

      const before = await fullNameOf(member)
      const answer = await change(member, { full_name: '@', enter_sends: 'true' })
      expect(answer).toMatchObject(success())
      expect(await fullNameOf(member)).toBe(before)
      expect((await stateOf(member))['user_settings']).toMatchObject({ enter_sends: true })
      await change(administrator, { full_name: 'Allowed' })
      expect(await fullNameOf(administrator)).toBe('Allowed')
      await system().owner.call(updateRealm, { name_changes_disabled: false })
    })

    test('give a unique name to one of two concurrent requests', async () => {
      const members = await newUsers(system(), 6)
      await system().owner.call(updateRealm, { require_unique_names: true })

      for (const name of ['Straße', 'Ｗide']) {
        const spellings = [name, name.toUpperCase(), name.toLowerCase()]
        const answers = await Promise.all(
          members.map((person, index) => change(person, { full_name: spellings[index % 3] ?? '' })),
        )

        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      }
      await system().owner.call(updateRealm, { require_unique_names: false })
    })
  })

  describe('PATCH /settings, the password', () => {
    const passwords = (old_password: string, new_password = NEW_PASSWORD) => ({ old_password, new_password })

    test('replaces the password', async () => {
      const ann = await newUser({ hasPassword: true })

      expect(await change(ann, passwords(passwordOf(ann)))).toMatchObject(success())

      expect(await signIn(ann.email, passwordOf(ann))).toMatchObject(
        refusal('AUTHENTICATION_FAILED', {}, 401),
      )
      expect(await signIn(ann.email, NEW_PASSWORD)).toMatchObject(success({ api_key: ann.account?.apiKey }))
    })

    test.each<[string, (own: string) => Record<string, string>]>([
      ['without the present one', () => ({ new_password: NEW_PASSWORD })],
      ['with a wrong one', () => passwords('wrong')],
      ['with an empty one', () => passwords('')],
      ['that is short', (own) => passwords(own, 'x7#Qz')],
      ['that everyone has', (own) => passwords(own, 'password1')],
      ['that is empty', (own) => passwords(own, '')],
      ['beside a bad setting', (own) => ({ ...passwords(own), timezone: 'Mars' })],
      ['beside a bad name', (own) => ({ ...passwords(own), full_name: '*' })],
      ['beside a bad address', (own) => ({ ...passwords(own), email: '@' })],
      ['beside an address in use', (own) => ({ ...passwords(own), email: system().owner.email })],
    ])('rejects a new one %s, and changes nothing else', async (_, fields) => {
      const ann = await newUser({ hasPassword: true })

      const answer = await change(ann, { enter_sends: 'true', ...fields(passwordOf(ann)) })

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect(await signIn(ann.email, passwordOf(ann))).toMatchObject(success())
      expect((await stateOf(ann))['user_settings']).toMatchObject({ enter_sends: false })
    })

    test('requires the present password', async () => {
      const ann = await newUser({ hasPassword: true })

      expect((await change(ann, { old_password: 'wrong' })).body).toEqual({ result: 'success', msg: '' })
    })

    test('shares the rate limit of signing in: after wrong ones, the right one waits', async () => {
      const ann = await newUser({ hasPassword: true })
      for (let attempt = 0; attempt < 3; attempt++) await signIn(ann.email, 'wrong')
      for (let attempt = 0; attempt < 2; attempt++) await change(ann, passwords('wrong'))

      const answer = await change(ann, passwords(passwordOf(ann)))

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect(answer.body['msg']).toContain('too many')
      expect(await signIn(ann.email, passwordOf(ann))).toMatchObject(refusal('RATE_LIMIT_HIT', {}, 429))
    })

    test('resets the count of wrong ones', async () => {
      const ann = await newUser({ hasPassword: true })
      for (let attempt = 0; attempt < 4; attempt++) await signIn(ann.email, 'wrong')

      expect(await change(ann, passwords(passwordOf(ann)))).toMatchObject(success())

      for (let attempt = 0; attempt < 4; attempt++) await signIn(ann.email, 'wrong')
      expect(await signIn(ann.email, NEW_PASSWORD)).toMatchObject(success())
    })

    test('is changed once by two concurrent requests', async () => {
      const ann = await newUser({ hasPassword: true })
      const wanted = ['violet otter bicycle 1', 'violet otter bicycle 2']

      const answers = await Promise.all(wanted.map((one) => change(ann, passwords(passwordOf(ann), one))))

      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400])
      const winner = wanted[answers.findIndex(({ status }) => status === 200)] ?? ''
      expect(await signIn(ann.email, winner)).toMatchObject(success())
    })
  })

  describe('PATCH /settings, the visibility of the address', () => {
    const roles = Object.values(Role)
    /** Beside its owner. */
    const seers: Record<number, readonly number[]> = {
      1: roles,
      2: [100, 200, 300, 400],
      3: [100, 200],
      4: [],
      5: [100, 200, 300],
    }
    let viewers: ApiClient[]
    beforeAll(async () => {
      viewers = [
        system().owner,
        ...(await Promise.all(roles.slice(1).map((role) => newUserOfRole(system(), role)))),
      ]
    })

    test.each([
      [1, 2],
      [1, 4],
      [2, 1],
      [2, 3],
      [3, 5],
      [5, 2],
      [4, 3],
      [4, 1],
    ])('from %i to %i is delivered exactly to users whose access changes', async (from, to) => {
      const ann = await newUser()
      await change(ann, { email_address_visibility: String(from) })
      const watchers = await Promise.all(
        [ann, ...viewers].map((client) => watch(client, { event_types: ['alert_words', 'realm_user'] })),
      )

      const [own, ...others] = await accountEventsOf(watchers, async () => {
        expect(await change(ann, { email_address_visibility: String(to) })).toMatchObject(success())
      })

      const hiddenEmail = `user${ann.userId}@${new URL(system().baseUrl).hostname}`
      const apiEmail = to === 1 ? ann.email : hiddenEmail
      const user_id = ann.userId
      const isOther = from === 1 || to === 1
      const ofAll = isOther
        ? [
            { user_id, new_email: apiEmail },
            { user_id, avatar_source: 'G', avatar_version: 1 },
          ]
        : []
      const personsOf = (events: typeof own) => events?.map(({ person }) => person)
      expect(personsOf(own)).toMatchObject(ofAll)
      others.forEach((events, index) => {
        const role = roles[index] ?? 0
        const [saw, sees] = [seers[from]?.includes(role), seers[to]?.includes(role)]
        const delivery = saw === sees ? [] : [{ user_id, delivery_email: sees ? ann.email : null }]
        expect([role, personsOf(events)]).toMatchObject([role, [...delivery, ...ofAll]])
      })
      for (const viewer of viewers) {
        const { members } = await viewer.call(listUsers, {})
        const { email, delivery_email, avatar_url } = members.find((one) => one.user_id === user_id) ?? {}
        const role = roles[viewers.indexOf(viewer)] ?? 0
        expect({ role, email, delivery_email }).toEqual({
          role,
          email: apiEmail,
          delivery_email: seers[to]?.includes(role) ? ann.email : null,
        })
        expect(avatar_url === null).toBe(to === 1)
      }
      expect(await ann.call(getOwnUser, {})).toMatchObject({ email: apiEmail, delivery_email: ann.email })
      expect(await stateOf(ann)).toMatchObject({
        email: apiEmail,
        delivery_email: ann.email,
        user_settings: { email_address_visibility: to },
      })
      await stopWatching(watchers)
    })

    test('decides who finds the user by the address', async () => {
      const [ann, other] = [await newUser(), await newUser()]
      const made = `user${ann.userId}@${emailHostOf(new URL(system().baseUrl).hostname)}`
      const { owner } = system()
      const find = (client: ApiClient, email: string) => client.send(getUserByEmail, { email })
      const found = success({ user: expect.objectContaining({ user_id: ann.userId }) })

      for (const client of [owner, other]) expect(await find(client, ann.email)).toMatchObject(found)
      await change(ann, { email_address_visibility: '3' })
      expect(await find(owner, ann.email.toUpperCase())).toMatchObject(found)
      expect(await find(ann, ann.email)).toMatchObject(found)
      expect(await find(other, ann.email)).toMatchObject(refusal('BAD_REQUEST'))
      for (const client of [owner, other]) expect(await find(client, made)).toMatchObject(found)
      await change(ann, { email_address_visibility: '1' })
      for (const client of [owner, other]) expect(await find(client, made)).toMatchObject(found)
      expect(await find(other, made.replace('@', '@x.'))).toMatchObject(refusal('BAD_REQUEST'))
      expect(await find(other, made.replace('user', 'user0'))).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('keeps both addresses valid for signing in', async () => {
      const ann = await newUser({ hasPassword: true })
      await change(ann, { email_address_visibility: '4' })
      const { email } = await ann.call(getOwnUser, {})

      const key = ann.account?.apiKey ?? ''
      const hidden = { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` }

      expect((await ann.fetch('/api/v1/users/me', { headers: hidden })).status).toBe(200)
      expect((await ann.fetch('/api/v1/users/me')).status).toBe(200)
      expect(await signIn(ann.email, passwordOf(ann))).toMatchObject(success({ email: ann.email }))
    })

    test.each(['0', '6', '"1"', 'true', 'null', '1.5'])('is never %s', async (value) => {
      const ann = await newUser()

      expect(await change(ann, { email_address_visibility: value })).toMatchObject(refusal('BAD_REQUEST'))
    })
  })
}
