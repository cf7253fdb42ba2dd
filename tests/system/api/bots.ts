import { type EndpointInput, endpoints, Role } from '@tms/contracts'
import { type ApiClient, ApiClient as Client, registerQueue, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newChannel, newUserOfRole } from '../support/users-and-channels.ts'

const { createBot, deactivateBot, getOwnUser, getUser, listBots, regenerateApiKey } = endpoints.users
const { regenerateBotApiKey, updateBot } = endpoints.users
const { updateRealm } = endpoints.realm
const { sendMessage, getMessages } = endpoints.messaging

type BotInput = EndpointInput<typeof createBot>
type Bots = { user_id: number; [field: string]: unknown }[]

let names = 0
const newNames = () => ({ full_name: `Bot ${++names} of tests`, short_name: `tested-${names}` })

export const botTests = (system: () => TestSystem): void => {
  const usersByRole = {} as Record<'owner' | 'admin' | 'moderator' | 'member' | 'guest', ApiClient>
  let other: ApiClient
  beforeAll(async () => {
    usersByRole.owner = system().owner
    usersByRole.admin = await newUserOfRole(system(), Role.administrator)
    usersByRole.moderator = await newUserOfRole(system(), Role.moderator)
    usersByRole.member = await newUserOfRole(system(), Role.member)
    usersByRole.guest = await system().createUser(undefined, { role: Role.guest })
    other = await newUserOfRole(system(), Role.member)
  })

  const addressOf = ({ short_name }: { short_name: string }) =>
    `${short_name}-bot@${new URL(system().baseUrl).hostname}`
  /** Creates a bot, and a client that uses the API as the bot. */
  const newBot = async (owner: ApiClient, input: Partial<BotInput> = {}) => {
    const given = { ...newNames(), ...input }
    const { user_id, api_key } = await owner.call(createBot, given)
    const email = addressOf(given)
    return {
      id: user_id,
      name: given.full_name,
      client: new Client(system().baseUrl, { userId: user_id, email, apiKey: api_key }),
    }
  }
  const botsOf = async (client: ApiClient): Promise<Bots> => {
    const { state } = await registerQueue(client, { fetch_event_types: ['realm_bot'] })
    return state['realm_bots'] as Bots
  }

  describe('POST /bots', () => {
    test('creates a member that belongs to its creator and can act at once', async () => {
      const { full_name, short_name } = newNames()
      const made = await usersByRole.member.call(createBot, { full_name, short_name })
      const email = addressOf({ short_name })
      const bot = new Client(system().baseUrl, { userId: made.user_id, email, apiKey: made.api_key })

      expect(made).toMatchObject({
        api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
        avatar_url: expect.stringMatching(/^https:/),
        default_sending_stream: null,
        default_events_register_stream: null,
        default_all_public_streams: false,
      })
      expect(await bot.call(getOwnUser, {})).toMatchObject({
        email,
        full_name,
        role: Role.member,
        is_bot: true,
        bot_type: 1,
        bot_owner_id: usersByRole.member.userId,
      })
      expect(
        await bot.send(sendMessage, { type: 'direct', to: [usersByRole.member.userId], content: 'x' }),
      ).toMatchObject(success())
    })

    test('stores the default channels that its creator can see', async () => {
      const open = await newChannel(system().owner)
      const closed = await newChannel(system().owner, { isPrivate: true })
      const create = (default_sending_stream: string) =>
        usersByRole.member.send(createBot, {
          ...newNames(),
          default_sending_stream,
          default_all_public_streams: true,
        })

      expect(await create(open.name)).toMatchObject(
        success({ default_sending_stream: open.name, default_all_public_streams: true }),
      )
      expect(await create(closed.name)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await create('no such channel')).toMatchObject(refusal('BAD_REQUEST'))
    })

    test.each<[string, Partial<BotInput>]>([
      ['a name of one letter', { full_name: 'x' }],
      ['a name that would break mentions', { full_name: 'a*b' }],
      ['an empty address', { short_name: ' ' }],
      ['what makes no address', { short_name: 'a b' }],
      ['an outgoing webhook that calls nowhere', { bot_type: 3 }],
      ['an outgoing webhook that calls back', { bot_type: 3, payload_url: 'http://127.0.0.1:5432' }],
      ['an outgoing webhook that calls no web server', { bot_type: 3, payload_url: 'file:///etc/passwd' }],
    ])('rejects %s', async (_, input) => {
      expect(await usersByRole.member.send(createBot, { ...newNames(), ...input })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })

    test('gives a name and an address to one of two concurrent requests', async () => {
      const { full_name, short_name } = newNames()
      const byName = await Promise.all(
        [1, 2, 3, 4].map(() => usersByRole.member.send(createBot, { ...newNames(), full_name })),
      )
      const byAddress = await Promise.all(
        [1, 2, 3, 4].map(() => usersByRole.member.send(createBot, { ...newNames(), short_name })),
      )

      expect(byName.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400, 400, 400])
      expect(byAddress.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400, 400, 400])
      const again = { ...newNames(), full_name: full_name.toUpperCase() }
      expect(await usersByRole.member.send(createBot, again)).toMatchObject(refusal('BAD_REQUEST'))
    })

    test.each<[number, number, keyof typeof usersByRole, string | null]>([
      [1, 1, 'member', null],
      [1, 1, 'guest', 'BAD_REQUEST'],
      [2, 1, 'member', 'UNAUTHORIZED_PRINCIPAL'],
      [2, 1, 'moderator', 'UNAUTHORIZED_PRINCIPAL'],
      [2, 1, 'admin', null],
      [2, 2, 'member', null],
      [2, 2, 'guest', 'BAD_REQUEST'],
      [3, 2, 'moderator', 'UNAUTHORIZED_PRINCIPAL'],
      [3, 2, 'admin', null],
      [3, 1, 'owner', null],
    ])('under policy %i, of type %i, by role %s: %s', async (bot_creation_policy, bot_type, who, code) => {
      await system().owner.call(updateRealm, { bot_creation_policy })
      const create = () => usersByRole[who].send(createBot, { ...newNames(), bot_type: bot_type as 1 | 2 })
      const expected = code === null ? success() : refusal(code)

      expect(await create()).toMatchObject(expected)
      await system().owner.call(updateRealm, { bot_creation_policy: 1 })
    })

    test('rejects bots', async () => {
      const { client } = await newBot(usersByRole.admin)

      for (const answer of [await client.send(createBot, newNames()), await client.send(listBots, {})]) {
        expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      }
    })
  })

  describe('an incoming webhook bot', () => {
    test('may send messages and nothing else', async () => {
      const { client } = await newBot(usersByRole.member, { bot_type: 2 })

      expect(
        await client.send(sendMessage, { type: 'direct', to: [usersByRole.member.userId], content: 'x' }),
      ).toMatchObject(success())
      for (const answer of [
        await client.send(getOwnUser, {}),
        await client.send(getMessages, { anchor: 'newest', num_before: 1, num_after: 0 }),
        await client.send(regenerateApiKey, {}),
      ]) {
        expect(answer).toMatchObject(refusal('UNAUTHORIZED', {}, 401))
      }
    })
  })

  describe('GET /bots', () => {
    test('lists the caller’s active bots, with their keys', async () => {
      const owner = await system().createUser()
      const kept = await newBot(owner)
      const deactivated = await newBot(owner)
      await owner.call(deactivateBot, { bot_user_id: deactivated.id })

      const { bots } = await owner.call(listBots, {})
      expect(bots).toEqual([
        {
          user_id: kept.id,
          username: kept.client.email,
          full_name: kept.name,
          api_key: kept.client.account?.apiKey,
          avatar_url: expect.stringMatching(/^https:/),
          default_sending_stream: null,
          default_events_register_stream: null,
          default_all_public_streams: false,
        },
      ])
      expect((await botsOf(owner)).map(({ user_id, is_active }) => [user_id, is_active])).toEqual([
        [kept.id, true],
        [deactivated.id, false],
      ])
    })
  })

  describe('the users who manage a bot', () => {
    type Who = keyof typeof usersByRole | 'its owner' | 'another member'
    const who = (name: Who, creator: ApiClient): ApiClient =>
      name === 'its owner' ? creator : name === 'another member' ? other : usersByRole[name]

    describe.each<[Who, string | null]>([
      ['its owner', null],
      ['owner', null],
      ['admin', null],
      ['moderator', 'BAD_REQUEST'],
      ['another member', 'BAD_REQUEST'],
      ['guest', 'BAD_REQUEST'],
    ])('%s', (name, code) => {
      const operations: Record<
        string,
        (client: ApiClient, bot_user_id: number) => ReturnType<ApiClient['request']>
      > = {
        renames: (client, bot_user_id) =>
          client.send(updateBot, { bot_user_id, full_name: newNames().full_name }),
        'replaces the key of': (client, bot_user_id) => client.send(regenerateBotApiKey, { bot_user_id }),
        deactivates: (client, bot_user_id) => client.send(deactivateBot, { bot_user_id }),
      }
      test.each(Object.keys(operations))(`%s it: ${code ?? 'success'}`, async (operation) => {
        const bot = await newBot(usersByRole.member)
        const answer = await operations[operation]?.(who(name, usersByRole.member), bot.id)

        expect(answer).toMatchObject(code === null ? success() : refusal(code))
      })

      test(`${code === null ? 'sees' : 'does not see'} it at register`, async () => {
        const bot = await newBot(usersByRole.member)
        const ids = (await botsOf(who(name, usersByRole.member))).map(({ user_id }) => user_id)

        expect(ids.includes(bot.id)).toBe(code === null)
      })
    })

    test.each<[keyof typeof usersByRole, number, string | null]>([
      ['owner', Role.owner, null],
      ['owner', Role.administrator, null],
      ['admin', Role.administrator, null],
      ['admin', Role.guest, null],
      ['admin', Role.owner, 'UNAUTHORIZED_PRINCIPAL'],
      ['member', Role.administrator, 'UNAUTHORIZED_PRINCIPAL'],
      ['member', Role.moderator, 'UNAUTHORIZED_PRINCIPAL'],
    ])('%s gives their own bot role %i: %s', async (creator, role, code) => {
      const bot = await newBot(usersByRole[creator])
      const answer = await usersByRole[creator].send(updateBot, { bot_user_id: bot.id, role: role as Role })

      expect(answer).toMatchObject(code === null ? success() : refusal(code))
      const { user } = await usersByRole.owner.call(getUser, { user_id: bot.id })
      expect(user.role).toBe(code === null ? role : Role.member)
    })

    test('cannot gain power through a bot', async () => {
      const { owner, admin, member } = usersByRole
      const bot = await newBot(owner)
      await owner.call(updateBot, { bot_user_id: bot.id, role: Role.owner })
      const membersBot = await newBot(member)

      for (const operation of [
        admin.send(regenerateBotApiKey, { bot_user_id: bot.id }),
        admin.send(updateBot, { bot_user_id: bot.id, bot_owner_id: admin.userId }),
      ]) {
        expect(await operation).toMatchObject(refusal('UNAUTHORIZED_PRINCIPAL'))
      }
      expect((await botsOf(admin)).map(({ user_id }) => user_id)).not.toContain(bot.id)
      for (const [bot_user_id, input] of [
        [bot.id, { bot_owner_id: admin.userId }],
        [membersBot.id, { role: Role.administrator }],
      ] as const) {
        expect(await owner.send(updateBot, { bot_user_id, ...input })).toMatchObject(refusal('BAD_REQUEST'))
      }
    })
  })

  describe('PATCH /bots/{bot_user_id}', () => {
    test('changes the given fields and keeps the rest', async () => {
      const channel = await newChannel(usersByRole.member)
      const bot = await newBot(usersByRole.member, { bot_type: 3, payload_url: '"https://example.com/hook"' })
      const change = (input: object) => usersByRole.member.call(updateBot, { bot_user_id: bot.id, ...input })
      const { full_name } = newNames()

      expect(await change({ full_name, default_events_register_stream: channel.name })).toMatchObject({
        full_name,
        bot_owner: usersByRole.member.email,
        service_payload_url: 'https://example.com/hook',
        service_interface: 1,
        default_events_register_stream: channel.name,
      })
      expect(await change({ service_interface: 2, default_events_register_stream: '' })).toMatchObject({
        full_name,
        service_payload_url: 'https://example.com/hook',
        service_interface: 2,
        default_events_register_stream: null,
      })
    })

    test.each<[string, () => number | Promise<number>]>([
      ['nobody', () => 999_999],
      ['a guest', () => usersByRole.guest.userId],
      ['a bot', async () => (await newBot(other)).id],
    ])('rejects %s as its owner, and changes nothing', async (_, owner) => {
      const bot = await newBot(usersByRole.member)
      const change = { full_name: newNames().full_name, bot_owner_id: await owner() }

      expect(await usersByRole.member.send(updateBot, { bot_user_id: bot.id, ...change })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
      expect((await usersByRole.member.call(getUser, { user_id: bot.id })).user).toMatchObject({
        full_name: bot.name,
        bot_owner_id: usersByRole.member.userId,
      })
    })

    test.each<[string, () => number]>([
      ['a person', () => usersByRole.member.userId],
      ['nobody', () => 999_999],
    ])('does not accept %s as a bot', async (_, bot_user_id) => {
      for (const answer of [
        await usersByRole.owner.send(updateBot, { bot_user_id: bot_user_id(), full_name: 'Other' }),
        await usersByRole.owner.send(deactivateBot, { bot_user_id: bot_user_id() }),
        await usersByRole.owner.send(regenerateBotApiKey, { bot_user_id: bot_user_id() }),
      ]) {
        expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      }
    })
  })

  describe('events to the users who manage a bot', () => {
    const follow = async (client: ApiClient) =>
      (await registerQueue(client, { event_types: ['realm_bot', 'realm_user'] })).follow()
    type Queue = Awaited<ReturnType<typeof follow>>
    const botEvents = (queue: Queue, id: number) =>
      queue.events
        .filter(({ type, bot }) => type === 'realm_bot' && (bot as { user_id: number }).user_id === id)
        .map(({ op, bot }) => ({ op, bot }))

    test('report every change of it, only to its owner and administrators', async () => {
      const { member, admin } = usersByRole
      const queues = {
        member: await follow(member),
        admin: await follow(admin),
        other: await follow(other),
        moderator: await follow(usersByRole.moderator),
      }
      const bot = await newBot(member)
      const user_id = bot.id
      const { full_name } = newNames()
      await member.call(updateBot, { bot_user_id: user_id, full_name, default_all_public_streams: true })
      const { api_key } = await bot.client.call(regenerateApiKey, {})
      await member.call(updateBot, { bot_user_id: user_id, bot_owner_id: other.userId })
      await other.call(deactivateBot, { bot_user_id: user_id })

      const inactive = { op: 'update', bot: { user_id, is_active: false } }
      const add = {
        op: 'add',
        bot: expect.objectContaining({ user_id, owner_id: member.userId, is_active: true, services: [] }),
      }
      const changes = [
        { op: 'update', bot: { user_id, default_all_public_streams: true } },
        { op: 'update', bot: { user_id, full_name } },
        { op: 'update', bot: { user_id, api_key } },
      ]
      // The previous owner does not learn the bot's new key.
      const rekeyed = {
        op: 'update',
        bot: { user_id, api_key: expect.not.stringMatching(new RegExp(`^${api_key}$`)) },
      }
      await queues.admin.until(() => botEvents(queues.admin, user_id).length >= 7)
      expect(botEvents(queues.admin, user_id)).toEqual([
        add,
        ...changes,
        { op: 'update', bot: { user_id, owner_id: other.userId } },
        rekeyed,
        inactive,
      ])
      await queues.other.until(() => botEvents(queues.other, user_id).length >= 3)
      expect(botEvents(queues.other, user_id)).toEqual([
        { op: 'add', bot: expect.objectContaining({ full_name, api_key, owner_id: other.userId }) },
        rekeyed,
        inactive,
      ])
      const isOfBot = ({ type, person }: { type: string; person?: unknown }) =>
        type === 'realm_user' && (person as { user_id: number }).user_id === user_id
      await queues.member.until(() => queues.member.events.filter(isOfBot).length >= 4)
      expect(botEvents(queues.member, user_id)).toEqual([add, ...changes, { op: 'delete', bot: { user_id } }])
      expect(queues.member.events.filter(isOfBot).map(({ op, person }) => ({ op, person }))).toEqual([
        {
          op: 'add',
          person: expect.objectContaining({ user_id, is_bot: true, bot_owner_id: member.userId }),
        },
        { op: 'update', person: { user_id, full_name } },
        { op: 'update', person: { user_id, bot_owner_id: other.userId } },
        { op: 'update', person: { user_id, is_active: false } },
      ])
      await queues.moderator.until(() => queues.moderator.events.filter(isOfBot).length >= 4)
      expect(botEvents(queues.moderator, user_id)).toEqual([])
      for (const queue of Object.values(queues)) await queue.stop()
    })

    test('report its removal when it gains more power than they have', async () => {
      const queue = await follow(usersByRole.admin)
      const bot = await newBot(usersByRole.owner)
      const rise = (role: Role) => usersByRole.owner.call(updateBot, { bot_user_id: bot.id, role })
      await rise(Role.owner)
      await rise(Role.member)

      await queue.until(() => botEvents(queue, bot.id).length >= 3)
      expect(botEvents(queue, bot.id).map(({ op }) => op)).toEqual(['add', 'delete', 'add'])
      await queue.stop()
    })
  })

  test('a deactivated bot is rejected, and so is a second deactivation', async () => {
    const bot = await newBot(usersByRole.member)
    await bot.client.call(getOwnUser, {})
    await usersByRole.member.call(deactivateBot, { bot_user_id: bot.id })

    expect(await bot.client.send(getOwnUser, {})).toMatchObject(refusal('UNAUTHORIZED', {}, 401))
    expect(await usersByRole.member.send(deactivateBot, { bot_user_id: bot.id })).toMatchObject(
      refusal('BAD_REQUEST'),
    )
  })
}
