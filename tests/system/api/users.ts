import { endpoints } from '@tms/contracts'
import { type ApiClient, ApiClient as Client, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newUsers, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'

const { createUser, fetchApiKey, getOwnUser, getUser, getUserByEmail, listUsers } = endpoints.users
const { checkCompatibility, getServerSettings } = endpoints.realm

export const userTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  let anonymous: ApiClient
  let member: ApiClient
  beforeAll(async () => {
    owner = system().owner
    anonymous = system().anonymous
    ;[member] = await newUsers(system(), 1)
  })

  describe('GET /server_settings', () => {
    test('describes the server and the organization to anyone', async () => {
      const settings = await anonymous.call(getServerSettings, {})

      expect(settings).toMatchObject({
        result: 'success',
        service_feature_level: 371,
        zulip_feature_level: 371,
        realm_name: 'Team Messaging',
        realm_url: system().baseUrl,
        realm_uri: system().baseUrl,
        realm_description: expect.stringMatching(/^<p>/),
        email_auth_enabled: true,
        require_email_format_usernames: true,
        is_incompatible: false,
        external_authentication_methods: [],
        authentication_methods: expect.objectContaining({ password: true, ldap: false }),
      })
      expect(settings.service_version).toBe(settings.zulip_version)
      expect(settings.service_merge_base).toBe(settings.zulip_merge_base)
    })

    test('reports one client as incompatible', async () => {
      const headers = { 'user-agent': 'ZulipInvalid/1.0' }

      expect(await anonymous.call(getServerSettings, {}, { headers })).toMatchObject({
        is_incompatible: true,
      })
    })
  })

  describe('GET /compatibility', () => {
    test.each([
      ['ZulipMobile/27.233.144 (Android 14)', success()],
      ['ZulipMobile/1.0.0 (Android 8)', refusal('BAD_REQUEST', { msg: 'Client is too old' })],
      ['ZulipInvalid/1.0', refusal('BAD_REQUEST', { msg: 'Client is too old' })],
    ])('answers %s', async (userAgent, expected) => {
      const headers = { 'user-agent': userAgent }

      expect(await anonymous.send(checkCompatibility, {}, { headers })).toMatchObject(expected)
    })
  })

  describe('POST /fetch_api_key', () => {
    test('returns the key for the right password, regardless of the case of the address', async () => {
      const answer = await anonymous.send(fetchApiKey, {
        username: ` ${owner.email.toUpperCase()}`,
        password: system().ownerPassword,
      })

      expect(answer).toMatchObject(
        success({ api_key: owner.account?.apiKey, email: owner.email, user_id: owner.userId }),
      )
    })

    test('answers the same for a wrong password and an unknown address', async () => {
      const wrong = { password: 'wrong' }
      const answers = [
        await anonymous.send(fetchApiKey, { username: member.email, ...wrong }),
        await anonymous.send(fetchApiKey, { username: 'nobody@example.com', ...wrong }),
      ]

      for (const answer of answers) expect(answer).toMatchObject(refusal('AUTHENTICATION_FAILED', {}, 401))
      expect(answers[0]?.body['msg']).toBe(answers[1]?.body['msg'])
    })

    test('rejects a user name that is not an address', async () => {
      const answer = await anonymous.send(fetchApiKey, { username: 'owner', password: 'x' })

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('rejects even the right password after five wrong ones', async () => {
      const email = 'often.guessed@example.com'
      const password = 'password of many guesses'
      await owner.call(createUser, { email, password, full_name: 'Often Guessed' })
      for (let i = 0; i < 5; i++) await anonymous.send(fetchApiKey, { username: email, password: 'wrong' })

      const answer = await anonymous.send(fetchApiKey, { username: email, password })

      expect(answer).toMatchObject(refusal('RATE_LIMIT_HIT', { 'retry-after': expect.any(Number) }, 429))
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    })
  })

  describe('POST /users', () => {
    const valid = { email: 'new@example.com', password: 'a long new password', full_name: 'Somebody New' }

    test('creates a member who is visible to everyone and can sign in at once', async () => {
      const { user_id } = await owner.call(createUser, valid)

      const { user } = await member.call(getUser, { user_id })
      expect(user).toMatchObject({
        user_id,
        email: valid.email,
        delivery_email: valid.email,
        full_name: valid.full_name,
        role: 400,
        is_active: true,
        is_admin: false,
        is_owner: false,
        is_guest: false,
        is_bot: false,
        is_billing_admin: false,
        bot_type: null,
        timezone: '',
        date_joined: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00$/),
      })
      const key = await anonymous.call(fetchApiKey, { username: valid.email, password: valid.password })
      expect(key.user_id).toBe(user_id)
    })

    test('requires an administrator', async () => {
      expect(await member.send(createUser, valid)).toMatchObject(refusal('UNAUTHORIZED_PRINCIPAL'))
    })

    test('a new user can receive messages at once', async () => {
      const { user_id } = await owner.call(createUser, {
        ...valid,
        email: 'brand.new@example.com',
        full_name: 'Brand New',
      })

      const answer = await member.send(endpoints.messaging.sendMessage, {
        type: 'direct',
        to: [user_id],
        content: 'welcome',
      })

      expect(answer).toMatchObject(success())
    })

    test.each<[string, Partial<typeof valid>]>([
      ['an address in use, whatever its case', { email: 'NEW@example.com' }],
      ['what is no address', { email: 'new@' }],
      ['an address with a blank', { email: 'a b@example.com' }],
      ['a name of one letter', { full_name: 'x' }],
      ['a name of 101 letters', { full_name: 'x'.repeat(101) }],
      ['a name that would break mentions', { full_name: 'a*b' }],
      ['a name that looks like a mention by ID', { full_name: 'somebody|12' }],
      ['a name of invisible characters', { full_name: '\u200b\u200b\u200b' }],
      ['a password that is guessed early', { password: 'password' }],
      ['a password that is too short', { password: 'aB3$x' }],
    ])('rejects %s', async (_, change) => {
      const answer = await owner.send(createUser, { ...valid, email: 'other@example.com', ...change })

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('names the missing parameter', async () => {
      const answer = await owner.request('POST', '/users', [['email', valid.email]])

      expect(answer).toMatchObject(refusal('REQUEST_VARIABLE_MISSING', { var_name: 'password' }))
    })
  })

  describe('GET /users', () => {
    test('lists everyone, without avatars that the client computes', async () => {
      const { members } = await member.call(listUsers, {})

      const own = members.find(({ user_id }) => user_id === member.userId)
      expect(own).toMatchObject({ email: member.email, avatar_url: null, is_active: true })
      expect(own).not.toHaveProperty('profile_data')
      expect(members.find(({ user_id }) => user_id === owner.userId)).toMatchObject({
        role: 100,
        is_owner: true,
        is_admin: true,
      })
    })

    test('returns avatars and profile values on request', async () => {
      const { members } = await member.call(listUsers, {
        client_gravatar: false,
        include_custom_profile_fields: true,
      })

      for (const { avatar_url, is_bot, profile_data } of members) {
        expect(avatar_url).toMatch(/^(https:|\/user_avatars\/)/)
        if (is_bot) expect(profile_data).toBeUndefined()
        else expect(profile_data).toEqual(expect.any(Object))
      }
    })
  })

  describe('GET /users/{user_id} and GET /users/{email}', () => {
    test('find the same user', async () => {
      const byId = await owner.call(getUser, { user_id: member.userId })
      const byEmail = await owner.call(getUserByEmail, { email: member.email.toUpperCase() })

      expect(byEmail.user).toEqual(byId.user)
      expect(byId.user.user_id).toBe(member.userId)
    })

    test.each([
      '999999',
      '9007199254740991',
      '9007199254740992',
      '9223372036854775808',
      '0',
      'nobody@example.com',
      '-1',
    ])('reject %s, which belongs to no user', async (segment) => {
      expect(await owner.request('GET', `/users/${segment}`)).toMatchObject(refusal('BAD_REQUEST'))
    })
  })

  describe('GET /users/me', () => {
    test('returns the caller’s own record with an avatar', async () => {
      expect(await member.call(getOwnUser, {})).toMatchObject({
        user_id: member.userId,
        email: member.email,
        avatar_url: expect.stringMatching(/^https:/),
        profile_data: {},
        is_active: true,
      })
    })

    test('returns the ID of the newest visible message, and -1 before the first', async () => {
      const { createUser: create } = system()
      const loner = await create()
      const before = await loner.call(getOwnUser, {})
      const id = await sendDirectly(owner, [loner])

      const after = await loner.call(getOwnUser, {})

      expect(before.max_message_id).toBeLessThan(id)
      expect(after.max_message_id).toBe(id)
    })
  })

  describe('a caller', () => {
    test('is identified by address regardless of case, and by key with blanks around it', async () => {
      const same = new Client(system().baseUrl, {
        userId: member.userId,
        email: member.email.toUpperCase(),
        apiKey: ` ${member.account?.apiKey} `,
      })

      expect((await same.call(getOwnUser, {})).user_id).toBe(member.userId)
    })

    test('rejects a key that belongs to another user', async () => {
      const thief = new Client(system().baseUrl, {
        userId: owner.userId,
        email: owner.email,
        apiKey: member.account?.apiKey ?? '',
      })

      expect(await thief.send(getOwnUser, {})).toMatchObject(refusal('UNAUTHORIZED', {}, 401))
    })

    test.each([
      ['nothing', undefined, 401, 'UNAUTHORIZED'],
      ['no base64', 'Basic !!!', 401, 'UNAUTHORIZED'],
      ['base64 of no UTF-8', 'Basic /////w==', 401, 'UNAUTHORIZED'],
      ['an address without key', `Basic ${btoa('a@example.com')}`, 401, 'UNAUTHORIZED'],
      ['an unknown key', `Basic ${btoa(`a@example.com:${'k'.repeat(32)}`)}`, 401, 'UNAUTHORIZED'],
      ['a key of the wrong form', `Basic ${btoa('a@example.com:short')}`, 401, 'UNAUTHORIZED'],
      ['NUL', `Basic ${btoa(`a\0@example.com:${'k'.repeat(32)}`)}`, 401, 'UNAUTHORIZED'],
      ['another scheme', 'Bearer abc', 400, 'BAD_REQUEST'],
      ['a token that somebody made up', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.', 400, 'BAD_REQUEST'],
    ])('that sends %s is rejected', async (_, authorization, status, code) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      const answer = await anonymous.send(getOwnUser, {}, { headers })

      expect(answer).toMatchObject(refusal(code, {}, status))
      if (status === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
    })
  })

  describe('a request’s client name', () => {
    test('comes from its user agent, unless it names another', async () => {
      const { messaging } = endpoints
      const byAgent = await member.send(
        messaging.sendMessage,
        { type: 'direct', to: [member.userId], content: 'a' },
        { headers: { 'user-agent': 'FancyBot/1.2 (Linux)' } },
      )
      const fields = { type: 'direct', to: `[${member.userId}]`, content: 'b', client: 'other' }
      const byName = await member.request('POST', '/messages', Object.entries(fields))
      const { messages } = await member.call(messaging.getMessages, {
        anchor: 'newest',
        num_before: 2,
        num_after: 0,
      })

      expect(byAgent).toMatchObject(success())
      expect(byName.body).not.toHaveProperty('ignored_parameters_unsupported')
      expect(messages.map(({ client }) => client)).toEqual(['FancyBot', 'other'])
    })
  })

  test('a new user can post to the default channels at once', async () => {
    await sendToChannel(member, 'general')
  })
}
