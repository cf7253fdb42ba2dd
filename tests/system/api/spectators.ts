import {
  apiEndpoints,
  channelPermissionNames,
  endpoints,
  nothingForSpectators,
  spectatorRealmKeys,
  systemGroupIds,
  UNKNOWN_USER_AVATAR,
} from '@tms/contracts'
import { type Answer, ApiClient, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { uploadTo } from '../support/files.ts'
import { newOrganization, type OtherOrganization } from '../support/other-organization.ts'
import { onePixel } from '../support/pictures.ts'
import { until } from '../support/until.ts'
import { newChannelName, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'

const { addReaction, archiveChannel, editMessage, getMessage, getMessages } = endpoints.messaging
const { listTopics, subscribe, updateChannel } = endpoints.messaging
const { getServerSettings, updateRealm } = endpoints.realm
const { register } = endpoints.events

type Fields = Record<string, unknown>
interface Channel {
  readonly id: number
  readonly name: string
}

const WEB_PUBLIC = { operator: 'channels', operand: 'web-public' }
const UNAUTHORIZED = refusal('UNAUTHORIZED', {}, 401)

/** Everything about a message that is visible without an account. */
const MESSAGE_KEYS = [
  ...['avatar_url', 'client', 'content', 'content_type', 'display_recipient', 'flags', 'id', 'is_me_message'],
  ...['reactions', 'recipient_id', 'sender_email', 'sender_full_name', 'sender_id', 'sender_realm_str'],
  ...['stream_id', 'subject', 'submessages', 'timestamp', 'topic_links', 'type'],
]
const CHANNEL_KEYS = [
  ...channelPermissionNames,
  ...['creator_id', 'date_created', 'description', 'first_message_id'],
  ...['history_public_to_subscribers', 'invite_only', 'is_announcement_only', 'is_web_public'],
  ...['message_retention_days', 'name', 'rendered_description', 'stream_id', 'stream_post_policy'],
  ...['stream_weekly_traffic', 'is_recently_active', 'is_archived'],
]
const USER_KEYS = [
  ...['avatar_url', 'avatar_version', 'bot_type', 'date_joined', 'delivery_email', 'email', 'full_name'],
  ...['is_admin', 'is_billing_admin', 'is_bot', 'is_guest', 'is_owner', 'role', 'timezone', 'user_id'],
]
const REGISTER_KEYS = [
  ...spectatorRealmKeys,
  ...Object.values(nothingForSpectators).flatMap(Object.keys),
  ...['cross_realm_bots', 'realm_non_active_users', 'realm_users', 'realm_emoji'],
  ...['max_message_id', 'never_subscribed', 'streams', 'unread_msgs', 'queue_id', 'result', 'msg'],
  ...['service_feature_level', 'service_merge_base', 'service_version'],
  ...['zulip_feature_level', 'zulip_merge_base', 'zulip_version'],
]
const keysOf = (record: unknown) => Object.keys(record as object).sort()

export const spectatorTests = (system: () => TestSystem): void => {
  let organization: OtherOrganization
  let owner: ApiClient
  let ada: ApiClient
  let bob: ApiClient
  let eve: ApiClient
  let anyone: ApiClient
  let town: Channel
  let office: Channel
  let secret: Channel
  /** In the web-public channel: has a mention of Ada and a file, and a reaction of Bob. */
  let greeting: number
  let internal: number
  let file: string

  const allow = (enable_spectator_access: boolean) => owner.call(updateRealm, { enable_spectator_access })
  const newChannel = async (settings: { is_web_public?: boolean; invite_only?: boolean } = {}) => {
    const name = newChannelName()
    await owner.call(subscribe, { subscriptions: [{ name }], ...settings })
    const { stream_id } = await owner.call(endpoints.messaging.getChannelId, { stream: name })
    return { id: stream_id, name }
  }
  const fetchBy = (client: ApiClient, narrow: unknown, more: object = {}) =>
    client.send(getMessages, { anchor: 'newest', num_before: 100, num_after: 0, narrow, ...more })
  const messagesIn = ({ body }: Answer) => body['messages'] as Fields[]
  const idsBy = async (client: ApiClient, narrow: unknown) =>
    messagesIn(await fetchBy(client, narrow)).map(({ id }) => id)
  const messageBy = (client: ApiClient, message_id: number) => client.send(getMessage, { message_id })
  const topicsBy = (client: ApiClient, { id }: Channel) => client.send(listTopics, { stream_id: id })
  const statusOf = async (url: string, client = anyone) => (await client.fetch(url)).status
  const registerBy = (client: ApiClient, input: object = {}) => client.send(register, input)
  const isEnabled = async (client: ApiClient) =>
    (await client.call(getServerSettings, {})).realm_web_public_access_enabled

  beforeAll(async () => {
    organization = await newOrganization(system())
    ;({ owner, anonymous: anyone } = organization)
    ada = await organization.createUser()
    bob = await organization.createUser()
    eve = await organization.createUser()
    await allow(true)
    town = await newChannel({ is_web_public: true })
    office = await newChannel()
    secret = await newChannel({ invite_only: true })
    await bob.uploadTo('/api/v1/users/me/avatar', { name: 'me.png', content: onePixel })
    file = await uploadTo(owner, { name: 'map.png', content: onePixel, type: 'image/png' })
    const { full_name } = await ada.call(endpoints.users.getOwnUser, {})
    const content = `Hi @**${full_name}|${ada.userId}**, look at [this](${file})`
    greeting = await sendToChannel(owner, town.name, content, 'greetings')
    await bob.call(addReaction, { message_id: greeting, emoji_name: 'tada' })
    internal = await sendToChannel(owner, office.name, 'not for the web', 'internals')
    await sendToChannel(owner, secret.name, 'for few', 'secrets')
    await sendDirectly(owner, [eve], 'for you')
  })

  describe('a message of a web-public channel', () => {
    test('is shown without credentials, with the necessary fields only', async () => {
      const answer = await fetchBy(anyone, [WEB_PUBLIC])

      expect(answer).toMatchObject(success({ found_newest: true, history_limited: false }))
      const messages = messagesIn(answer)
      expect(new Set(messages.map((message) => keysOf(message).join()))).toEqual(
        new Set([[...MESSAGE_KEYS].sort().join()]),
      )
      expect(new Set(messages.map(({ stream_id }) => stream_id))).toEqual(new Set([town.id]))
      expect(messages.find(({ id }) => id === greeting)).toMatchObject({
        sender_id: owner.userId,
        sender_email: `user${owner.userId}@${organization.hostname}`,
        avatar_url: UNKNOWN_USER_AVATAR,
        client: '',
        subject: 'greetings',
        content: expect.stringContaining(`data-user-id="${ada.userId}"`),
        flags: ['read', 'historical'],
        reactions: [
          {
            emoji_name: 'tada',
            emoji_code: expect.any(String),
            reaction_type: 'unicode_emoji',
            user_id: bob.userId,
          },
        ],
      })
    })

    test('is returned by ID', async () => {
      const answer = await messageBy(anyone, greeting)

      expect(answer).toMatchObject(success({ raw_content: expect.stringContaining('look at [this]') }))
      expect(keysOf(answer.body['message'])).toEqual([...MESSAGE_KEYS].sort())
    })

    test('contains no e-mail address', async () => {
      const texts = [
        await fetchBy(anyone, [WEB_PUBLIC]),
        await messageBy(anyone, greeting),
        await registerBy(anyone),
      ]

      for (const { text } of texts)
        for (const { email } of [owner, ada, bob])
          expect(text.toLowerCase()).not.toContain(email.toLowerCase())
    })

    test('says that it was edited, without the previous text', async () => {
      const id = await sendToChannel(owner, town.name, 'first words', 'edits')
      await owner.call(editMessage, { message_id: id, content: 'second words' })
      const { body } = await messageBy(owner, id)
      expect(body['message']).toHaveProperty('edit_history')

      const answer = await messageBy(anyone, id)
      expect(keysOf(answer.body['message'])).toEqual([...MESSAGE_KEYS, 'last_edit_timestamp'].sort())
      expect(answer.text).not.toContain('first words')
    })

    test('disappears with its file as soon as it is moved out of there', async () => {
      const moving = await uploadTo(owner, { name: 'moving.txt', content: 'moving' })
      const id = await sendToChannel(owner, town.name, `Take [this](${moving})`, 'moving')
      expect([(await messageBy(anyone, id)).status, await statusOf(moving)]).toEqual([200, 200])

      await owner.call(editMessage, { message_id: id, stream_id: office.id, topic: 'moved' })

      expect(await messageBy(anyone, id)).toMatchObject(UNAUTHORIZED)
      expect(await idsBy(anyone, [WEB_PUBLIC])).not.toContain(id)
      expect(await statusOf(moving)).toBe(401)
    })
  })

  describe('a message that is not web-public', () => {
    test('is not found', async () => {
      const elsewhere = await sendToChannel(system().owner, (await firstChannel()).name)
      for (const id of [internal, elsewhere, 2 ** 40])
        expect(await messageBy(anyone, id)).toMatchObject(UNAUTHORIZED)
      for (const channel of [office, secret, { id: 2 ** 40, name: 'nowhere' }]) {
        expect(await topicsBy(anyone, channel)).toMatchObject(UNAUTHORIZED)
        for (const operand of [channel.id, channel.name]) {
          const named = { operator: 'channel', operand }
          expect(await fetchBy(anyone, [named])).toMatchObject(UNAUTHORIZED)
          expect(await fetchBy(anyone, [WEB_PUBLIC, named])).toMatchObject(refusal('BAD_NARROW'))
        }
      }
      for (const id of [internal, elsewhere])
        expect(await idsBy(anyone, [WEB_PUBLIC, { operator: 'id', operand: id }])).toEqual([])
      const searched = { operator: 'search', operand: 'web' }
      expect(await idsBy(anyone, [WEB_PUBLIC, searched])).not.toContain(internal)
    })

    test('is at no other host', async () => {
      expect(await messageBy(system().anonymous, greeting)).toMatchObject(UNAUTHORIZED)
      expect(await statusOf(file, system().anonymous)).toBe(401)
      const nowhere = new ApiClient(
        system().baseUrl,
        null,
        undefined,
        `nobody.${system().system.externalHost}`,
      )
      expect(await messageBy(nowhere, greeting)).toMatchObject(UNAUTHORIZED)

      const other = await newOrganization(system())
      await other.owner.call(updateRealm, { enable_spectator_access: true })
      expect(await messageBy(other.anonymous, greeting)).toMatchObject(UNAUTHORIZED)
      expect(await topicsBy(other.anonymous, town)).toMatchObject(UNAUTHORIZED)
      expect(await idsBy(other.anonymous, [WEB_PUBLIC])).toEqual([])
      expect(await statusOf(file, other.anonymous)).toBe(401)
      expect(await registerBy(other.anonymous)).toMatchObject(UNAUTHORIZED)
      expect(await isEnabled(other.anonymous)).toBe(false)
    })

    const firstChannel = async () => {
      const { subscriptions } = await system().owner.call(endpoints.messaging.listSubscriptions, {})
      return subscriptions[0] as { name: string }
    }
  })

  describe('a narrow', () => {
    test.each<[string, () => Fields[]]>([
      ['for web-public channels', () => [WEB_PUBLIC]],
      ['for the same under its older name', () => [{ operator: 'streams', operand: 'web-public' }]],
      ['for such a channel by name', () => [{ operator: 'channel', operand: town.name }]],
      ['for such a channel by ID', () => [{ operator: 'stream', operand: town.id }]],
      ['for a topic', () => [WEB_PUBLIC, { operator: 'topic', operand: 'Greetings' }]],
      ['for a sender by ID', () => [WEB_PUBLIC, { operator: 'sender', operand: owner.userId }]],
      [
        'for a sender by the address that messages have',
        () => [WEB_PUBLIC, { operator: 'sender', operand: `user${owner.userId}@${organization.hostname}` }],
      ],
      ['for files', () => [WEB_PUBLIC, { operator: 'has', operand: 'attachment' }]],
      ['for reactions', () => [WEB_PUBLIC, { operator: 'has', operand: 'reaction' }]],
      ['for words', () => [WEB_PUBLIC, { operator: 'search', operand: 'look' }]],
      ['near a message', () => [WEB_PUBLIC, { operator: 'near', operand: String(greeting) }]],
      ['for an ID', () => [WEB_PUBLIC, { operator: 'id', operand: greeting }]],
      [
        'without another sender',
        () => [WEB_PUBLIC, { operator: 'sender', operand: ada.userId, negated: true }],
      ],
    ])('%s finds the message', async (_, narrow) => {
      expect(await idsBy(anyone, narrow())).toContain(greeting)
    })

    test('for words highlights them', async () => {
      const [message] = messagesIn(
        await fetchBy(anyone, [WEB_PUBLIC, { operator: 'search', operand: 'look' }]),
      )

      expect(message).toMatchObject({ match_content: expect.stringContaining('class="highlight"') })
    })

    test.each<[string, unknown]>([
      ['left out', undefined],
      ['empty', []],
      ['for all public channels', [{ operator: 'channels', operand: 'public' }]],
      ['for what is not web-public', [{ ...WEB_PUBLIC, negated: true }]],
      ['for starred messages', [WEB_PUBLIC, { operator: 'is', operand: 'starred' }]],
      ['for direct messages', [WEB_PUBLIC, { operator: 'dm', operand: [1] }]],
      ['for what is not muted', [WEB_PUBLIC, { operator: 'in', operand: 'home' }]],
      ['with a message', [WEB_PUBLIC, { operator: 'with', operand: 1 }]],
      ['of unknown terms', [WEB_PUBLIC, { operator: 'unheard', operand: 'x' }]],
    ])('%s requires an account', async (_, narrow) => {
      const answer = await fetchBy(anyone, narrow)

      expect(answer).toMatchObject(UNAUTHORIZED)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic/)
    })

    test.each<[string, unknown, string]>([
      ['is no list', 'x', 'REQUEST_VARIABLE_INVALID'],
      ['has an operand of a wrong type', [{ operator: 'channels', operand: 1 }], 'BAD_REQUEST'],
      ['asks for what messages do not have', [WEB_PUBLIC, { operator: 'has', operand: 'x' }], 'BAD_NARROW'],
      ['names nobody', [WEB_PUBLIC, { operator: 'sender', operand: 2 ** 40 }], 'BAD_NARROW'],
    ])('that %s is rejected with a specific error', async (_, narrow, code) => {
      expect(await fetchBy(anyone, narrow)).toMatchObject(refusal(code))
    })

    test('does not reveal who has an e-mail address', async () => {
      const bySender = (operand: string) => fetchBy(anyone, [WEB_PUBLIC, { operator: 'sender', operand }])

      expect(await bySender(owner.email)).toMatchObject(refusal('BAD_NARROW'))
      expect(await bySender('nobody@example.com')).toMatchObject(refusal('BAD_NARROW'))
    })
  })

  test('the topics of a web-public channel are listed', async () => {
    const { topics } = (await topicsBy(anyone, town)).body as { topics: Fields[] }

    expect(topics).toContainEqual({ name: 'greetings', max_id: greeting })
    expect(topics).toEqual((await topicsBy(owner, town)).body['topics'])
  })

  describe('registering', () => {
    test('returns no queue, and only the state of web-public channels', async () => {
      const { status, body } = await registerBy(anyone)

      expect([status, keysOf(body)]).toEqual([200, [...REGISTER_KEYS].sort()])
      expect(body).toMatchObject({
        ...Object.assign({}, ...Object.values(nothingForSpectators)),
        queue_id: null,
        max_message_id: expect.any(Number),
        unread_msgs: {
          count: 0,
          streams: [],
          pms: [],
          huddles: [],
          mentions: [],
          old_unreads_missing: false,
        },
        realm_enable_spectator_access: true,
        streams: [{ stream_id: town.id, name: town.name, is_web_public: true, creator_id: null }],
      })
      expect(body['never_subscribed']).toEqual(body['streams'])
      expect(keysOf((body['streams'] as unknown[])[0])).toEqual([...CHANNEL_KEYS].sort())
    })

    test('names users who wrote there, are mentioned there or reacted, and nobody else', async () => {
      const { body } = await registerBy(anyone, { fetch_event_types: ['realm_user'] })
      const users = body['realm_users'] as Fields[]

      expect(users.map(({ user_id }) => user_id)).toEqual(
        [owner, ada, bob].map(({ userId }) => userId).sort((a, b) => a - b),
      )
      for (const user of users) {
        expect(keysOf(user)).toEqual([...USER_KEYS].sort())
        expect(user).toMatchObject({
          email: `user${user['user_id']}@${organization.hostname}`,
          delivery_email: null,
          role: 400,
          is_owner: false,
          timezone: '',
          date_joined: '1970-01-01T00:00:00+00:00',
        })
      }
      expect(body['cross_realm_bots']).toMatchObject([{ is_bot: true, is_system_bot: true }])
    })

    test('includes uploaded avatars', async () => {
      const { body } = await registerBy(anyone, { fetch_event_types: ['realm_user'] })
      const user = (body['realm_users'] as Fields[]).find(({ user_id }) => user_id === bob.userId)
      const url = String(user?.['avatar_url'])
      expect(url).toMatch(/^\/user_avatars\//)
      expect(await statusOf(url)).toBe(200)
    })

    test('includes the emoji, without their authors', async () => {
      await owner.uploadTo('/api/v1/realm/emoji/ours', { name: 'ours.png', content: onePixel })

      const { body } = await registerBy(anyone, { fetch_event_types: ['realm_emoji'] })
      const [emoji] = Object.values(body['realm_emoji'] as Fields) as Fields[]
      expect(emoji).toMatchObject({ name: 'ours', author_id: null })
      expect(await statusOf(String(emoji?.['source_url']))).toBe(200)
    })

    test.each([{ client_gravatar: true }, { include_subscribers: true }, { all_public_streams: true }])(
      'with %j requires an account',
      async (input) => {
        expect(await registerBy(anyone, input)).toMatchObject(refusal('BAD_REQUEST'))
      },
    )
  })

  describe('in an organization with restricted guest visibility', () => {
    test('spectators see no users', async () => {
      await owner.call(updateRealm, { can_access_all_users_group: systemGroupIds['role:members'] })
      expect(await messageBy(anyone, greeting)).toMatchObject(
        success({ message: expect.objectContaining({ sender_full_name: 'Unknown user' }) }),
      )
      expect(await registerBy(anyone, { fetch_event_types: ['realm_user'] })).toMatchObject(
        success({ realm_users: [] }),
      )
      await owner.call(updateRealm, { can_access_all_users_group: systemGroupIds['role:everyone'] })
    })
  })

  test('wrong credentials are rejected, even for public data', async () => {
    const clients = ['w'.repeat(32), ''].map((apiKey) =>
      organization.clientAt(system().baseUrl, { userId: owner.userId, email: owner.email, apiKey }),
    )
    for (const client of clients) {
      expect(await messageBy(client, greeting)).toMatchObject(UNAUTHORIZED)
      expect(await fetchBy(client, [WEB_PUBLIC])).toMatchObject(UNAUTHORIZED)
      expect(await topicsBy(client, town)).toMatchObject(UNAUTHORIZED)
      expect(await registerBy(client)).toMatchObject(UNAUTHORIZED)
      expect(await statusOf(file, client)).toBe(401)
    }
  })

  test('everything else requires an account', async () => {
    const others = apiEndpoints.filter(({ auth }) => auth !== 'public' && auth !== 'user-or-spectator')
    expect(others.length).toBeGreaterThan(50)
    for (const { name, method, path, prefix } of others) {
      const filled = path.replace(/\{message_id\}/, String(greeting)).replace(/\{\w+\}/g, String(town.id))
      const answer = await anyone.request(method, filled, [], { prefix })

      expect([name, answer.status, answer.body['code']]).toEqual([name, 401, 'UNAUTHORIZED'])
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic/)
    }
  })

  describe('web-public access', () => {
    test('is reported at once when channels are opened, closed and archived', async () => {
      expect(await isEnabled(anyone)).toBe(true)
      const other = await newChannel()
      const setOpen = ({ id }: Channel, is_web_public: boolean) =>
        owner.call(updateChannel, { stream_id: id, is_web_public })

      await setOpen(town, false)
      expect(await isEnabled(anyone)).toBe(false)
      expect(await registerBy(anyone)).toMatchObject(UNAUTHORIZED)
      expect(await messageBy(anyone, greeting)).toMatchObject(UNAUTHORIZED)

      await setOpen(other, true)
      expect(await isEnabled(anyone)).toBe(true)
      await owner.call(archiveChannel, { stream_id: other.id })
      expect(await isEnabled(anyone)).toBe(false)

      await setOpen(town, true)
      expect(await isEnabled(anyone)).toBe(true)
    })

    test('ends with the next request after the organization disables it, including files', async () => {
      const requests = () =>
        Promise.all([
          messageBy(anyone, greeting),
          fetchBy(anyone, [WEB_PUBLIC]),
          topicsBy(anyone, town),
          registerBy(anyone),
        ])
      for (let round = 0; round < 5; round++) {
        for (const answer of await requests()) expect(answer.status).toBe(200)
        expect([await statusOf(file), await isEnabled(anyone)]).toEqual([200, true])

        await allow(false)

        expect([await statusOf(file), await isEnabled(anyone)]).toEqual([401, false])
        for (const answer of await requests()) expect(answer).toMatchObject(UNAUTHORIZED)
        await allow(true)
      }
    })

    test('returns no temporary link, which would outlast it', async () => {
      expect(await anyone.request('GET', file)).toMatchObject(UNAUTHORIZED)
    })

    test('is reported as off while messaging is down, and server settings still respond', async () => {
      const replicas = [0, 1].map((index) => system().system.replica('messaging', index))
      await Promise.all(replicas.map((replica) => replica.stop()))

      expect(await anyone.call(getServerSettings, {})).toMatchObject({
        realm_web_public_access_enabled: false,
        realm_name: expect.any(String),
      })

      await Promise.all(replicas.map((replica) => replica.start()))
      await until(() => isEnabled(anyone))
    })

    test('ends with the organization', async () => {
      await owner.call(endpoints.realm.deactivateRealm, {})

      expect([await statusOf(file), await isEnabled(anyone)]).toEqual([401, false])
      expect(await messageBy(anyone, greeting)).toMatchObject(UNAUTHORIZED)
      await organization.reactivate()
      expect(await statusOf(file)).toBe(200)
    })
  })
}
