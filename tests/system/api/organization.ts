import { endpoints, Role, systemGroupIds } from '@tms/contracts'
import { createLog, createPool } from '@tms/service-kit'
import {
  type ApiClient,
  type ClientEvent,
  registerQueue,
  type TestSystem,
  type UploadedFile,
} from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newOrganization } from '../support/other-organization.ts'
import { onePixel, twoFrames } from '../support/pictures.ts'
import { newChannel, newUsers } from '../support/users-and-channels.ts'
import { stopWatching, watch } from '../support/watch.ts'

const { updateRealm } = endpoints.realm
const { getServerSettings, listCustomEmoji, deactivateCustomEmoji } = endpoints.realm
const { renderMessage, sendMessage } = endpoints.messaging

export const organizationTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  let member: ApiClient
  beforeAll(async () => {
    owner = system().owner
    ;[member] = await newUsers(system(), 1, { hasPassword: true })
  })

  const realmState = async (client: ApiClient) =>
    (await client.call(endpoints.events.register, { fetch_event_types: ['realm'] })) as Record<
      string,
      unknown
    >

  describe('PATCH /realm', () => {
    afterAll(() => owner.call(updateRealm, { edit_topic_policy: 5, create_public_stream_policy: 1 }))

    test('returns changed values, and of texts only their names', async () => {
      const changed = await owner.send(updateRealm, {
        description: 'We **make** things',
        digest_weekday: 3,
        send_welcome_emails: true,
        message_content_delete_limit_seconds: 'unlimited',
      })

      expect(changed).toMatchObject(
        success({ description: 'updated', digest_weekday: 3, message_content_delete_limit_seconds: null }),
      )
      expect(await owner.call(getServerSettings, {})).toMatchObject({
        realm_description: '<p>We <strong>make</strong> things</p>',
      })
      expect(changed.body).not.toHaveProperty('send_welcome_emails')
      const again = await owner.send(updateRealm, { digest_weekday: 3 })
      expect(again.body).toEqual({ result: 'success', msg: '' })
    })

    test('delivers to everyone, as single events or together, what register then returns', async () => {
      // With the state, so that an earlier change is not delivered again.
      const queue = await registerQueue(member, { event_types: ['realm'], fetch_event_types: ['realm'] })
      await owner.call(updateRealm, {
        name: 'Renamed Ltd',
        giphy_rating: 0,
        edit_topic_policy: 4,
        create_public_stream_policy: 4,
      })
      await owner.call(updateRealm, { name: 'Team Messaging' })

      await queue.until(() => queue.events.length >= 5, 'the changes')

      const plain = (property: string, value: unknown) => ({ type: 'realm', op: 'update', property, value })
      const changes = queue.events.map(({ id: _id, ...event }) => event)
      expect(changes.slice(0, 3)).toEqual(
        expect.arrayContaining([
          plain('name', 'Renamed Ltd'),
          plain('giphy_rating', 0),
          plain('create_public_stream_policy', 4),
        ]),
      )
      expect(changes.slice(3)).toEqual([
        {
          type: 'realm',
          op: 'update_dict',
          property: 'default',
          data: {
            edit_topic_policy: 4,
            can_move_messages_between_topics_group: 3,
            can_resolve_topics_group: 3,
            can_create_public_channel_group: systemGroupIds['role:moderators'],
          },
        },
        plain('name', 'Team Messaging'),
      ])
      expect(await realmState(member)).toMatchObject({
        realm_name: 'Team Messaging',
        realm_giphy_rating: 0,
        realm_edit_topic_policy: 4,
        realm_can_create_public_channel_group: systemGroupIds['role:moderators'],
      })
      await queue.stop()
    })

    test('says which edits are shown, to older clients whether any are', async () => {
      const watcher = await watch(owner, { event_types: ['realm'] })
      const choices = [
        [{ message_edit_history_visibility_policy: 'moves' }, 'moves', true],
        [{ allow_edit_history: false }, 'none', false],
        [{ allow_edit_history: true }, 'all', true],
        [{ message_edit_history_visibility_policy: 'none' }, 'none', false],
        [{ message_edit_history_visibility_policy: 'all' }, 'all', true],
      ] as const
      for (const [choice, policy, isAllowed] of choices) {
        expect(await owner.send(updateRealm, choice)).toMatchObject(success())
        expect(await realmState(owner)).toMatchObject({
          realm_message_edit_history_visibility_policy: policy,
          realm_allow_edit_history: isAllowed,
        })
      }
      const both = { allow_edit_history: true, message_edit_history_visibility_policy: 'moves' } as const
      expect(await owner.send(updateRealm, both)).toMatchObject(
        refusal('REQUEST_CONFUSING_VAR', {
          var_name1: 'message_edit_history_visibility_policy',
          var_name2: 'allow_edit_history',
        }),
      )
      expect(
        await owner.request('PATCH', '/realm', [['message_edit_history_visibility_policy', 'some']]),
      ).toMatchObject(refusal('BAD_REQUEST'))
      await owner.call(updateRealm, { digest_weekday: 5 })
      const isLast = ({ property }: ClientEvent) => property === 'digest_weekday'
      await watcher.queue.waitFor(isLast, 'the last change')
      const policies = watcher.queue.events.flatMap(({ data }) =>
        data ? [(data as Record<string, unknown>)['message_edit_history_visibility_policy']] : [],
      )
      expect(policies).toEqual(['moves', 'none', 'all', 'none', 'all'])
      const older = watcher.queue.events.filter(({ property }) => property === 'allow_edit_history')
      expect(older.map(({ value }) => value)).toEqual([false, true, false, true])
      await owner.call(updateRealm, { digest_weekday: 1 })
      await stopWatching([watcher])
    })

    test('decides whether clients warn before direct messages to guests', async () => {
      expect(await realmState(owner)).toMatchObject({ realm_enable_guest_user_dm_warning: true })
      expect(await owner.send(updateRealm, { enable_guest_user_dm_warning: false })).toMatchObject(success())
      expect(await realmState(owner)).toMatchObject({ realm_enable_guest_user_dm_warning: false })
      await owner.call(updateRealm, { enable_guest_user_dm_warning: true })
    })

    test('applies all changes or none', async () => {
      const answer = await owner.send(updateRealm, {
        digest_weekday: 6,
        waiting_period_threshold: 'soon',
      })

      expect(answer).toMatchObject(
        refusal('REQUEST_VARIABLE_INVALID', { var_name: 'waiting_period_threshold', bad_value: 'soon' }),
      )
      expect(await realmState(owner)).not.toMatchObject({ realm_digest_weekday: 6 })
    })

    test('requires an administrator, and for joining an owner', async () => {
      const administrator = await system().createUser('An Administrator', { role: Role.administrator })
      const moderator = await system().createUser('A Moderator', { role: Role.moderator })
      const ownersOnly = { description: 'changed by nobody', waiting_period_threshold: 0 }

      expect(await administrator.send(updateRealm, { description: 'changed' })).toMatchObject(success())
      expect(await administrator.send(updateRealm, ownersOnly)).toMatchObject(
        refusal('UNAUTHORIZED_PRINCIPAL'),
      )
      expect(await moderator.send(updateRealm, { description: 'x' })).toMatchObject(
        refusal('UNAUTHORIZED_PRINCIPAL'),
      )
      expect(await realmState(owner)).toMatchObject({ realm_description: 'changed' })
    })

    test.each([
      ['none', '{}', /^At least one authentication method must be enabled/],
      ['the only one off', '{"Email":false}', /^At least one authentication method must be enabled/],
      [
        'an unknown one',
        '{"Email":true,"Carrier Pigeon":false}',
        /^Invalid authentication method: Carrier Pigeon/,
      ],
    ])('rejects authentication methods with %s, and users can still sign in', async (_, methods, msg) => {
      const answer = await owner.request('PATCH', '/realm', [['authentication_methods', methods]])

      expect(answer).toMatchObject(refusal('BAD_REQUEST', { msg: expect.stringMatching(msg) }))
      expect(await owner.send(updateRealm, { authentication_methods: { Email: true } })).toMatchObject(
        success(),
      )
      const password = `password of ${member.email}`
      expect(
        await member.send(endpoints.users.fetchApiKey, { username: member.email, password }),
      ).toMatchObject(success())
    })

    test('applies to other services at once', async () => {
      const send = () => owner.send(sendMessage, { type: 'direct', to: [member.userId], content: 'hi' })

      await owner.call(updateRealm, { private_message_policy: 2 })
      expect((await send()).status).toBe(400)
      await owner.call(updateRealm, { private_message_policy: 1 })
      expect((await send()).status).toBe(200)
    })

    test('accepts an existing channel for announcements, or none', async () => {
      const channel = await newChannel(owner)

      expect(await owner.send(updateRealm, { signup_announcements_stream_id: channel.id })).toMatchObject(
        success({ signup_announcements_stream_id: channel.id }),
      )
      for (const id of [channel.id + 1_000_000, 9_007_199_254_740_991]) {
        expect(await owner.send(updateRealm, { signup_announcements_stream_id: id })).toMatchObject(
          refusal('BAD_REQUEST'),
        )
      }
      expect(await owner.send(updateRealm, { signup_announcements_stream_id: -1 })).toMatchObject(
        success({ signup_announcements_stream_id: -1 }),
      )
    })

    test('has no video that explains the service', async () => {
      expect(await realmState(member)).toMatchObject({ navigation_tour_video_url: null })
    })

    test('accepts only a private channel for reports about messages, or none', async () => {
      const channel = await newChannel(owner)
      const hidden = await newChannel(owner, { isPrivate: true })
      const choose = (moderation_request_channel_id: number) =>
        owner.send(updateRealm, { moderation_request_channel_id })
      expect(await realmState(member)).toMatchObject({ realm_moderation_request_channel_id: -1 })

      expect(await choose(channel.id)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await choose(hidden.id)).toMatchObject(success({ moderation_request_channel_id: hidden.id }))
      expect(await realmState(member)).toMatchObject({ realm_moderation_request_channel_id: hidden.id })
      expect(await choose(-1)).toMatchObject(success({ moderation_request_channel_id: -1 }))
    })

    test('keeps the channel for reports about messages private', async () => {
      const channel = await newChannel(owner, { isPrivate: true })
      const choose = (moderation_request_channel_id: number) =>
        owner.call(updateRealm, { moderation_request_channel_id })
      const open = (settings: object) =>
        owner.send(endpoints.messaging.updateChannel, { stream_id: channel.id, ...settings })
      await choose(channel.id)

      expect(await open({ is_private: false })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await open({ is_private: true, description: 'Reports' })).toMatchObject(success())
      await choose(-1)
      expect(await open({ is_private: false })).toMatchObject(success())
    })

    test.each<[string, string, string]>([
      ['add_custom_emoji_policy', '5', 'BAD_REQUEST'],
      ['add_custom_emoji_policy', '"1"', 'BAD_REQUEST'],
      ['edit_topic_policy', '7', 'BAD_REQUEST'],
      ['wildcard_mention_policy', '4', 'BAD_REQUEST'],
      ['video_chat_provider', '4', 'BAD_REQUEST'],
      ['can_access_all_users_group', '1', 'BAD_REQUEST'],
      ['allow_message_editing', 'True', 'BAD_REQUEST'],
      ['name', '', 'BAD_REQUEST'],
      ['name', 'x'.repeat(41), 'BAD_REQUEST'],
      ['default_language', '<b>', 'BAD_REQUEST'],
      ['message_content_edit_limit_seconds', '0', 'REQUEST_VARIABLE_INVALID'],
      ['message_content_edit_limit_seconds', 'null', 'BAD_REQUEST'],
    ])('rejects %s of %s', async (name, value, code) => {
      expect(await owner.request('PATCH', '/realm', [[name, value]])).toMatchObject(refusal(code))
    })

    test('accepts a limit with or without quotes, and lists unknown names', async () => {
      for (const value of ['unlimited', '"unlimited"', '600']) {
        const fields: [string, string][] = [
          ['message_content_edit_limit_seconds', value],
          ['icon', 'x'],
        ]

        expect(await owner.request('PATCH', '/realm', fields)).toMatchObject(
          success({ ignored_parameters_unsupported: ['icon'] }),
        )
      }
    })
  })

  describe('custom emoji', () => {
    const png = { name: 'x.png', content: onePixel, type: 'image/png' }
    let names = 0
    const newName = () => `custom-${++names}`
    const add = (client: ApiClient, name: string, ...files: UploadedFile[]) =>
      client.uploadTo(
        `/api/v1/realm/emoji/${encodeURIComponent(name)}`,
        ...(files.length > 0 ? files : [png]),
      )
    const find = async (name: string) => {
      const { emoji } = await member.call(listCustomEmoji, {})
      return Object.values(emoji).filter((one) => one.name === name)
    }

    test('are delivered to everyone, and served to anyone as PNG of 64 pixels', async () => {
      const queue = await registerQueue(owner, {
        event_types: ['realm_emoji'],
        fetch_event_types: ['realm_emoji'],
      })
      const name = newName()
      expect(await add(member, name)).toMatchObject(success())

      const [emoji] = await find(name)
      expect(emoji).toEqual({
        id: expect.stringMatching(/^\d+$/),
        name,
        source_url: expect.stringMatching(/^\/user_avatars\/\d+\/emoji\/images\/[0-9a-f]+\.png$/),
        still_url: null,
        deactivated: false,
        author_id: member.userId,
      })
      const event = await queue.waitFor(({ type }) => type === 'realm_emoji')
      expect(event).toMatchObject({ op: 'update', realm_emoji: { [emoji?.id ?? '']: emoji } })
      const { state } = await registerQueue(owner, { fetch_event_types: ['realm_emoji'] })
      expect(state).toMatchObject({ realm_emoji: { [emoji?.id ?? '']: emoji } })
      const shown = await fetch(system().baseUrl + String(emoji?.source_url))
      expect(Object.fromEntries(shown.headers)).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      })
      const header = new DataView(await shown.arrayBuffer())
      expect([header.getUint32(16), header.getUint32(20)]).toEqual([64, 64])
      await queue.stop()
    })

    test('with animation have a still picture', async () => {
      const name = newName()
      await add(member, name, { name: 'x.gif', content: twoFrames, type: 'image/gif' })

      const [emoji] = await find(name)
      const typeOf = async (path: unknown) =>
        (await fetch(system().baseUrl + String(path))).headers.get('content-type')
      expect(await typeOf(emoji?.source_url)).toBe('image/gif')
      expect(await typeOf(emoji?.still_url)).toBe('image/png')
    })

    test('are rendered in messages', async () => {
      const name = newName()
      await add(member, name)

      const { rendered } = await member.call(renderMessage, { content: `:${name}:` })
      const [emoji] = await find(name)
      expect(rendered).toContain(`src="${emoji?.source_url}"`)
    })

    test('are deactivated by their author or an administrator, which frees their names', async () => {
      const name = newName()
      await add(member, name)
      const other = await system().createUser()

      expect(await other.send(deactivateCustomEmoji, { emoji_name: name })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
      expect(await member.send(deactivateCustomEmoji, { emoji_name: name })).toMatchObject(success())
      expect(await member.send(deactivateCustomEmoji, { emoji_name: name })).toMatchObject(
        refusal('BAD_REQUEST', {}, 404),
      )
      expect(await add(other, name)).toMatchObject(success())
      expect(await owner.send(deactivateCustomEmoji, { emoji_name: name })).toMatchObject(success())
      expect(await find(name)).toEqual([
        expect.objectContaining({ deactivated: true, author_id: member.userId }),
        expect.objectContaining({ deactivated: true, author_id: other.userId }),
      ])
    })

    test('that are added at once under one name are one', async () => {
      const name = newName()
      const answers = await Promise.all(Array.from({ length: 5 }, () => add(member, name)))

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await find(name)).toHaveLength(1)
    })

    test.each<[string, string, UploadedFile[], string]>([
      ['a name in capitals', 'Custom', [png], 'BAD_REQUEST'],
      ['a name that ends in a hyphen', 'custom-', [png], 'BAD_REQUEST'],
      ['a name that everyone has', 'heart', [png], 'BAD_REQUEST'],
      ['another name that everyone has', 'holiday_tree', [png], 'BAD_REQUEST'],
      ['text', 'our-text', [{ name: 'x.png', content: 'hello' }], 'BAD_IMAGE'],
      [
        'a drawing',
        'our-drawing',
        [{ name: 'x.png', content: '<svg xmlns="http://www.w3.org/2000/svg"/>' }],
        'BAD_IMAGE',
      ],
      ['an empty file', 'our-empty', [{ name: 'x.png', content: '' }], 'BAD_IMAGE'],
      ['two files', 'our-two', [png, png], 'BAD_REQUEST'],
      [
        'a file of more than 5 MiB',
        'our-large',
        [{ name: 'x.png', content: new Uint8Array(5_300_000) }],
        'BAD_REQUEST',
      ],
    ])('reject %s', async (_, name, files, code) => {
      expect(await add(member, name, ...files)).toMatchObject(refusal(code))
      expect(await find(name)).toEqual([])
    })

    test('are limited to a thousand, even if more are added at once, and three thousand with deactivated ones', async () => {
      const { owner: other, realmId } = await newOrganization(system())
      const db = createPool(system().system.databaseUrls.realm, 1, createLog('test', 'silent'))
      const insert = (count: number, deactivated: boolean) =>
        db.query(
          `insert into custom_emoji (realm_id, name, file_name, is_animated, author_id, is_deactivated)
           select $1, 'filler-' || n, 'filler.png', false, $2, $3 from generate_series(1, $4::int) as n`,
          [realmId, other.userId, deactivated, count],
        )
      await insert(998, false)

      const answers = await Promise.all(Array.from({ length: 5 }, () => add(other, newName())))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
      const full = refusal('BAD_REQUEST', { msg: 'An organization can have at most 1000 custom emoji' })
      expect(await add(other, newName())).toMatchObject(full)

      await other.call(deactivateCustomEmoji, { emoji_name: 'filler-1' })
      expect(await add(other, newName())).toMatchObject(success())
      await other.call(deactivateCustomEmoji, { emoji_name: 'filler-2' })
      await insert(1_999, true)
      await db.end()
      expect(await add(other, newName())).toMatchObject(
        refusal('BAD_REQUEST', {
          msg: 'An organization can have at most 3000 custom emoji, deactivated ones included',
        }),
      )
      expect(Object.keys((await other.call(listCustomEmoji, {})).emoji)).toHaveLength(3_000)
    })

    test('require a file', async () => {
      const body = new FormData()
      body.append('x', 'y')
      const answer = await member.fetch(`/api/v1/realm/emoji/${newName()}`, { method: 'POST', body })

      expect(await answer.json()).toMatchObject({ result: 'error', code: 'BAD_REQUEST' })
    })

    test.each([
      { policy: 1, allowed: ['owner', 'administrator', 'moderator', 'member'] },
      { policy: 2, allowed: ['owner', 'administrator'] },
      { policy: 3, allowed: ['owner', 'administrator', 'moderator'] },
      { policy: 4, allowed: ['owner', 'administrator', 'moderator'] },
    ])('by policy $policy are added by $allowed', async ({ policy, allowed }) => {
      await owner.call(updateRealm, { add_custom_emoji_policy: policy, waiting_period_threshold: 3 })
      const roles = Object.entries(Role)
      const answers = await Promise.all(
        roles.map(async ([name, role]) => {
          const user = await system().createUser(`Emoji ${name} ${policy}`, { role })
          return { name, answer: await add(user, newName()) }
        }),
      )
      await owner.call(updateRealm, { add_custom_emoji_policy: 1, waiting_period_threshold: 0 })

      expect(answers.filter(({ answer }) => answer.status === 200).map(({ name }) => name)).toEqual(allowed)
      for (const { name, answer } of answers) {
        if (!allowed.includes(name)) expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      }
    })

    test.each(['none.png', '..%2f..%2fx.png', `${'0'.repeat(32)}.png`, `${'0'.repeat(32)}.svg`])(
      'have no picture at %s',
      async (file) => {
        const answer = await fetch(`${system().baseUrl}/user_avatars/1/emoji/images/${file}`)

        expect(answer.status).toBe(404)
      },
    )
  })

  test('the document that register names contains the Unicode emoji', async () => {
    const { server_emoji_data_url } = await realmState(member)
    const answer = await fetch(String(server_emoji_data_url))

    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(await answer.json()).toMatchObject({
      code_to_names: { '1f44d': expect.arrayContaining(['+1']) },
    })
    const headers = { 'if-none-match': answer.headers.get('etag') ?? '' }
    expect((await fetch(String(server_emoji_data_url), { headers })).status).toBe(304)
  })
}
