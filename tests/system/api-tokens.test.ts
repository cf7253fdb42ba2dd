import {
  type AnyEndpoint,
  type ApiTokenRecord,
  allEndpoints,
  endpoints,
  Role,
  type TokenScope,
} from '@tms/contracts'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import { type Account, ApiClient, registerQueue, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from './support/answers.ts'
import { newBotOf } from './support/bots.ts'
import { metricOf } from './support/observe.ts'
import { holdAccountLock } from './support/row-locks.ts'
import { until } from './support/until.ts'
import { newChannel, newUserOfRole, sendToChannel } from './support/users-and-channels.ts'

const { createApiToken, listApiTokens, listRealmApiTokens, revokeApiToken } = endpoints.users
const { createBot, createUser, deactivateBot, deactivateUser, getOwnUser, listBots } = endpoints.users
const { reactivateUser, regenerateApiKey, updateBot, updateSettings, updateUser } = endpoints.users
const { getMessages, sendMessage } = endpoints.messaging
const { getEvents, register } = endpoints.events

let product: TestSystem
let db: Pool
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    replicas: { gateway: 2 },
    serviceEnv: { TRUST_PROXY: 'true', RATE_LIMIT_PER_MINUTE: '100000' },
  })
  db = createPool(product.system.databaseUrls.users, 1, createLog('tests', 'silent'))
}, 180_000)
afterAll(async () => {
  await db.end()
  await product.stop()
})

interface Made {
  readonly token: string
  readonly id: number
  /** Its account, with the token as the password. */
  readonly client: ApiClient
}

async function newToken(
  user: ApiClient,
  scopes: TokenScope[] = ['read'],
  more: { name?: string; expires_in_seconds?: number } = {},
): Promise<Made> {
  const { token, api_token } = await user.call(createApiToken, { name: 'a token', scopes, ...more })
  return { token, id: api_token.id, client: user.as({ ...(user.account as Account), apiKey: token }) }
}

const unauthorized = refusal('UNAUTHORIZED', {}, 401)
const keyRequired = refusal('API_KEY_REQUIRED', {}, 403)
const lacks = (scope: TokenScope) => refusal('TOKEN_SCOPE_REQUIRED', { scope }, 403)
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const openStream = (token: string, queue_id: string) =>
  product.anonymous.fetch(`/api/v1/events/stream?${new URLSearchParams({ queue_id })}`, bearer(token))
/** The statuses of a call of the account at each gateway. */
const statuses = (client: ApiClient) =>
  Promise.all(
    product.system.urls.gateway.map(
      async (url) => (await new ApiClient(url, client.account).send(getOwnUser, {})).status,
    ),
  )

describe('an API token', () => {
  test('is shown once, has the form that scanners know, and is stored as a hash', async () => {
    const user = await product.createUser()
    const { token, api_token } = await user.call(createApiToken, {
      name: '  reads mail ',
      scopes: ['send', 'read', 'send'],
      expires_in_seconds: 3_600,
    })

    expect(token).toMatch(/^tms_[A-Za-z0-9]{49}$/)
    const { date_created: at } = api_token
    expect(api_token).toEqual({
      ...{ id: expect.any(Number), user_id: user.userId, name: 'reads mail', scopes: ['read', 'send'] },
      ...{ channel_ids: null, date_created: at, expires_at: expect.any(Number), last_used: null },
    })
    expect([at + 3_599, at + 3_600, at + 3_601]).toContain(api_token.expires_at)
    const listed = await user.send(listApiTokens, {})
    expect(listed).toMatchObject(success({ api_tokens: [api_token] }))
    expect(listed.text).not.toContain(token)
    const { rows } = await db.query<{ row: string }>('select api_tokens::text as row from api_tokens')
    expect(rows.filter(({ row }) => row.includes(token.slice(4)))).toEqual([])
  })

  test('is the password of Basic with either address, or a bearer, and its use is shown', async () => {
    const user = await product.createUser()
    const { token, id, client } = await newToken(user)
    const own = success({ user_id: user.userId })

    expect(await client.send(getOwnUser, {})).toMatchObject(own)
    for (const scheme of ['Bearer', 'bearer'])
      expect(
        await product.anonymous.send(getOwnUser, {}, { headers: { authorization: `${scheme} ${token}` } }),
      ).toMatchObject(own)
    const upper = user.as({ ...(client.account as Account), email: user.email.toUpperCase() })
    expect(await upper.send(getOwnUser, {})).toMatchObject(own)
    const { api_tokens } = await user.call(listApiTokens, {})
    expect(api_tokens).toEqual([expect.objectContaining({ id, last_used: expect.any(Number) })])
  })

  test('may be used by pages of any origin', async () => {
    const { token } = await newToken(await product.createUser())
    const preflight = await product.anonymous.fetch('/api/v1/users/me', {
      method: 'OPTIONS',
      headers: { origin: 'https://page.example', 'access-control-request-headers': 'authorization' },
    })
    const answer = await product.anonymous.fetch('/api/v1/users/me', {
      headers: { origin: 'https://page.example', ...bearer(token).headers },
    })

    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  })

  test('is refused if it is malformed, unknown, or of somebody else', async () => {
    const [user, other] = [await product.createUser(), await product.createUser()]
    const { token } = await newToken(user)
    const flipped = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')
    const messageOf = async (headers: object) =>
      (await product.anonymous.send(getOwnUser, {}, headers)).body['msg']

    // The second attempt is answered by what is known of the first one.
    for (const wrong of [flipped, `${token}0`, flipped])
      expect(await messageOf(bearer(wrong))).toBe('The API token is malformed')
    const swapped = other.as({ ...(other.account as Account), apiKey: token })
    expect(await swapped.send(getOwnUser, {})).toMatchObject(unauthorized)
    const apiKey = user.account?.apiKey ?? ''
    expect(await product.anonymous.send(getOwnUser, {}, bearer(apiKey))).toMatchObject(refusal('BAD_REQUEST'))
    expect(await user.send(getOwnUser, {})).toMatchObject(success())
  })

  test('of another organization is refused', async () => {
    const acme = await product.createOrganization('acme')
    const { token } = await newToken(acme.owner)

    expect(await acme.anonymous.send(getOwnUser, {}, bearer(token))).toMatchObject(success())
    expect(await product.anonymous.send(getOwnUser, {}, bearer(token))).toMatchObject(unauthorized)
    const here = product.owner.as({ ...(product.owner.account as Account), apiKey: token })
    expect(await here.send(getOwnUser, {})).toMatchObject(unauthorized)
  })
})

describe('scopes', () => {
  test('are needed each for itself, and a refusal names the missing one', async () => {
    const { owner } = product
    const channel = await newChannel(owner)
    const message = { type: 'stream' as const, to: channel.name, topic: 'x', content: 'hello' }
    const calls: Record<TokenScope, (client: ApiClient) => ReturnType<ApiClient['send']>> = {
      read: (client) => client.send(getMessages, { anchor: 'newest', num_before: 1, num_after: 0 }),
      send: (client) => client.send(sendMessage, message),
      administer: (client) => client.send(endpoints.realm.updateRealm, { description: 'by a token' }),
    }
    for (const scope of ['read', 'send', 'administer'] as const) {
      const { client } = await newToken(owner, [scope])
      for (const needed of ['read', 'send', 'administer'] as const)
        expect([scope, needed, await calls[needed](client)]).toMatchObject([
          scope,
          needed,
          scope === needed ? success() : lacks(needed),
        ])
    }
  })

  test('give no more than the role does', async () => {
    const { client } = await newToken(await product.createUser(), ['administer'])

    expect(await client.send(endpoints.realm.updateRealm, { description: 'x' })).toMatchObject(
      refusal('UNAUTHORIZED_PRINCIPAL'),
    )
  })

  test('are checked at every endpoint before anything else is', async () => {
    const { client } = await newToken(product.owner, ['read'])
    const others = allEndpoints.filter(
      ({ auth, tokenAccess }) =>
        !['public', 'user-by-key', 'provisioner'].includes(auth) && tokenAccess !== 'read',
    )
    const answered: [string, number][] = []
    for (const { name, method, path, prefix } of others) {
      const named = path.replace(/\{\w*(id|_by)\}/g, '1').replace(/\{\w+\}/g, 'x')
      answered.push([name, (await client.request(method, named, [], { prefix })).status])
    }

    expect(others.length).toBeGreaterThan(100)
    expect(answered.filter(([, status]) => status !== 403)).toEqual([])
  })

  test('of a form that acts as another method are those of that method', async () => {
    const { client } = await newToken(product.owner, ['read'])

    expect(await client.request('POST', '/users/me', [['method', 'DELETE']])).toMatchObject(
      lacks('administer'),
    )
  })

  test('an address of an integration takes a token that may send', async () => {
    const bot = await product.owner.call(createBot, { full_name: 'Hook', short_name: 'hook', bot_type: 2 })
    const { token } = await product.owner.call(createApiToken, {
      ...{ name: 'hook', scopes: ['send'], bot_user_id: bot.user_id },
    })
    const reading = await product.owner.call(createApiToken, {
      ...{ name: 'hook', scopes: ['read'], bot_user_id: bot.user_id },
    })
    const channel = await newChannel(product.owner)
    const post = async (key: string) => {
      const query = new URLSearchParams({ api_key: key, stream: channel.name, topic: 'x' })
      return product.anonymous.fetch(`/api/v1/external/json?${query}`, {
        ...{ method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } },
      })
    }

    expect((await post(token)).status).toBe(200)
    expect((await post(reading.token)).status).toBe(403)
    expect(await product.anonymous.send(getOwnUser, {}, bearer(reading.token))).toMatchObject(unauthorized)
  })
})

describe('a token cannot take over its account', () => {
  const all: TokenScope[] = ['read', 'send', 'administer']

  test('it creates no tokens, and shows or replaces no key', async () => {
    const { client } = await newToken(product.owner, all)
    const bot = await newBotOf(product.owner)

    for (const endpoint of [regenerateApiKey, listBots] as AnyEndpoint[])
      expect(await client.send(endpoint, {})).toMatchObject(keyRequired)
    expect(await client.send(createApiToken, { name: 'more', scopes: ['read'] })).toMatchObject(keyRequired)
    expect(await client.send(createBot, { full_name: 'B', short_name: 'b' })).toMatchObject(keyRequired)
    expect(await client.send(endpoints.users.regenerateBotApiKey, { bot_user_id: bot.userId })).toMatchObject(
      keyRequired,
    )
    expect(await client.send(endpoints.users.addApnsDevice, { token: 'a0' })).toMatchObject(keyRequired)
  })

  test('it changes no password and no address', async () => {
    const { client } = await newToken(product.owner, all)
    const [old_password, new_password] = [product.ownerPassword, 'another long password']

    expect(await client.send(updateSettings, { old_password, new_password })).toMatchObject(keyRequired)
    expect(await client.send(updateSettings, { email: 'mine@example.com' })).toMatchObject(keyRequired)
    expect(
      await client.send(updateUser, { user_id: product.owner.userId, new_email: 'mine@example.com' }),
    ).toMatchObject(keyRequired)
    expect(await client.send(updateSettings, { starred_message_counts: true })).toMatchObject(success())
  })

  test('it gets no key of a bot that it hands over, or that becomes its owner’s', async () => {
    const admin = await newUserOfRole(product, Role.administrator)
    const { client } = await newToken(admin, all)
    const [kept, left] = [await newBotOf(product.owner), await newBotOf(await product.createUser())]
    const owned = await db.query<{ bot_owner_id: number }>(
      'select bot_owner_id from accounts where id = $1',
      [left.userId],
    )
    await admin.call(deactivateUser, { user_id: owned.rows[0]?.bot_owner_id ?? 0 })

    const handed = await client.send(updateBot, { bot_user_id: kept.userId, bot_owner_id: admin.userId })
    expect(handed).toMatchObject(success({ bot_owner: admin.email }))
    expect(handed.body).not.toHaveProperty('api_key')
    const returned = await client.send(reactivateUser, { user_id: left.userId })
    expect(returned).toMatchObject(success())
    expect(returned.body).not.toHaveProperty('api_key')
  })

  test('its event queues contain no keys of bots, and it polls no queue of other credentials', async () => {
    const user = await product.createUser()
    const bot = await newBotOf(user)
    const [one, other] = [await newToken(user), await newToken(user)]
    const full = await user.call(register, {})
    const ofToken = await one.client.send(register, {})
    const queue_id = String(ofToken.body['queue_id'])
    const poll = { queue_id, last_event_id: -1, dont_block: true }

    expect(full.realm_bots).toMatchObject([{ user_id: bot.userId, api_key: bot.account?.apiKey }])
    expect(ofToken).toMatchObject(success({ realm_bots: [] }))
    expect(ofToken.text).not.toContain(bot.account?.apiKey)

    await bot.call(regenerateApiKey, {})
    await user.call(updateSettings, { full_name: 'After The Key' })
    const seen: string[] = []
    await until(async () => {
      const { text } = await one.client.send(getEvents, poll)
      seen.push(text)
      return text.includes('After The Key')
    })
    expect(seen.join()).not.toContain('realm_bot')

    for (const client of [one.client, other.client])
      expect(await client.send(getEvents, { ...poll, queue_id: full.queue_id })).toMatchObject(
        refusal('BAD_EVENT_QUEUE_ID'),
      )
    expect(await other.client.send(getEvents, poll)).toMatchObject(refusal('BAD_EVENT_QUEUE_ID'))
    expect(await other.client.send(endpoints.events.deleteEventQueue, { queue_id })).toMatchObject(
      refusal('BAD_EVENT_QUEUE_ID'),
    )
    const { acknowledgeEvents } = endpoints.events
    expect(await other.client.send(acknowledgeEvents, { queue_id, last_event_id: 0 })).toMatchObject(
      refusal('BAD_EVENT_QUEUE_ID'),
    )
    expect((await openStream(other.token, queue_id)).status).toBe(400)
    expect(await user.send(getEvents, poll)).toMatchObject(success())
  })
})

describe('a token ends, at every gateway when the answer is there,', () => {
  test('when it is revoked, and no other does', async () => {
    const user = await product.createUser()
    const [one, other] = [await newToken(user), await newToken(user)]
    expect(await statuses(one.client)).toEqual([200, 200])

    await user.call(revokeApiToken, { token_id: one.id })

    expect(await statuses(one.client)).toEqual([401, 401])
    expect(await statuses(other.client)).toEqual([200, 200])
    expect(await statuses(user)).toEqual([200, 200])
    expect(await user.send(revokeApiToken, { token_id: one.id })).toMatchObject({ status: 404 })
  })

  test('with a poll that waits', async () => {
    const user = await product.createUser()
    const { id, client } = await newToken(user)
    const { queue_id } = await client.call(register, { event_types: ['realm_user'] })
    const [url = ''] = product.system.urls.gateway
    const pending = new ApiClient(url, client.account).send(getEvents, { queue_id, last_event_id: -1 })
    await until(async () => (await metricOf(url, 'gateway_pending_polls')) === 1)

    await user.call(revokeApiToken, { token_id: id })

    expect(await pending).toMatchObject(unauthorized)
  })

  test.each([
    ['is revoked', 3_600],
    ['expires', 4],
  ])('with a stream that is open, when it %s', async (_, expires_in_seconds) => {
    const user = await product.createUser()
    const { id, token, client } = await newToken(user, ['read'], { expires_in_seconds })
    const { queue_id } = await client.call(register, { event_types: ['realm_user'] })
    const stream = await openStream(token, queue_id)
    expect(stream.status).toBe(200)
    if (expires_in_seconds === 3_600) await user.call(revokeApiToken, { token_id: id })

    await stream.text()
    expect((await openStream(token, queue_id)).status).toBe(401)
  })

  test('when it expires, with a poll that waits', async () => {
    const user = await product.createUser()
    const { client } = await newToken(user, ['read'], { expires_in_seconds: 3 })
    const { queue_id } = await client.call(register, { event_types: ['realm_user'] })
    const startedAt = Date.now()
    expect(await client.send(getEvents, { queue_id, last_event_id: -1 })).toMatchObject(unauthorized)

    expect(Date.now() - startedAt).toBeLessThan(10_000)
    expect(await statuses(client)).toEqual([401, 401])
    expect(await client.send(getOwnUser, {})).toMatchObject({ body: { msg: 'The API token has expired' } })
  })

  test('when its account gets a new key, or is deactivated, and does not return with it', async () => {
    const [renewed, gone] = [await product.createUser(), await product.createUser()]
    const [ofRenewed, ofGone] = [await newToken(renewed), await newToken(gone)]
    expect([await statuses(ofRenewed.client), await statuses(ofGone.client)].flat()).toEqual([
      200, 200, 200, 200,
    ])

    await renewed.call(regenerateApiKey, {})
    await product.owner.call(deactivateUser, { user_id: gone.userId })
    expect([await statuses(ofRenewed.client), await statuses(ofGone.client)].flat()).toEqual([
      401, 401, 401, 401,
    ])

    await product.owner.call(reactivateUser, { user_id: gone.userId })
    expect(await statuses(gone)).toEqual([200, 200])
    expect(await statuses(ofGone.client)).toEqual([401, 401])
  })

  test('also when it is being made while the key is replaced', async () => {
    const user = await product.createUser()
    const lock = await holdAccountLock(product, user.userId)
    const replaced = user.call(regenerateApiKey, {})
    await lock.waitForWaiters(1)
    const made = user.send(createApiToken, { name: 'late', scopes: ['read'] })
    await lock.waitForWaiters(2)
    await lock.release()

    const { api_key: apiKey } = await replaced
    expect(await made).toMatchObject(unauthorized)
    const renewed = user.as({ ...(user.account as Account), apiKey })
    expect(await renewed.call(listApiTokens, {})).toMatchObject({ api_tokens: [] })
    await renewed.call(createApiToken, { name: 'by the new key', scopes: ['read'] })
  })

  test('when its bot is handed over or deactivated', async () => {
    const [user, next] = [await product.createUser(), await product.createUser()]
    const [handed, ended] = [await newBotOf(user), await newBotOf(user)]
    const [one, other] = [await newToken(handed), await newToken(ended)]
    expect([await statuses(one.client), await statuses(other.client)].flat()).toEqual([200, 200, 200, 200])

    await user.call(updateBot, { bot_user_id: handed.userId, bot_owner_id: next.userId })
    await user.call(deactivateBot, { bot_user_id: ended.userId })

    expect([await statuses(one.client), await statuses(other.client)].flat()).toEqual([401, 401, 401, 401])
    expect(await next.call(listApiTokens, {})).toMatchObject({ api_tokens: [] })
  })

  test('while its organization is deactivated', async () => {
    const gone = await product.createOrganization('closing')
    const { token } = await newToken(gone.owner)
    expect(await gone.anonymous.send(getOwnUser, {}, bearer(token))).toMatchObject(success())

    await gone.owner.call(endpoints.realm.deactivateRealm, {})

    expect(await gone.anonymous.send(getOwnUser, {}, bearer(token))).toMatchObject({ status: 401 })
  })
})

describe('tokens of others', () => {
  test('of a bot are made, listed and revoked by its owner and by administrators, and by nobody else', async () => {
    const [user, other] = [await product.createUser(), await product.createUser()]
    const bot = await newBotOf(user)
    const wanted = { name: 'for the bot', scopes: ['send' as const], bot_user_id: bot.userId }
    const { token, api_token } = await user.call(createApiToken, wanted)
    const channel = await newChannel(user)
    const ofBot = bot.as({ ...(bot.account as Account), apiKey: token })

    expect(api_token.user_id).toBe(bot.userId)
    expect(await sendToChannel(ofBot, channel.name)).toEqual(expect.any(Number))
    const listed = async (client: ApiClient) =>
      (await client.call(listApiTokens, {})).api_tokens.map(({ id }: ApiTokenRecord) => id)
    expect([await listed(user), await listed(bot), await listed(other)]).toEqual([
      [api_token.id],
      [api_token.id],
      [],
    ])
    expect(await other.send(createApiToken, wanted)).toMatchObject(refusal('BAD_REQUEST'))
    expect(await other.send(revokeApiToken, { token_id: api_token.id })).toMatchObject({ status: 404 })
    expect(await user.send(revokeApiToken, { token_id: api_token.id })).toMatchObject(success())
  })

  test('are listed and revoked by administrators, also an owner’s, and never those of another organization', async () => {
    const admin = await newUserOfRole(product, Role.administrator)
    const elsewhere = await product.createOrganization('elsewhere')
    const [one, other, theirs] = [
      await newToken(await product.createUser()),
      await newToken(product.owner, ['administer']),
      await newToken(elsewhere.owner),
    ]
    const ids = async () => {
      const { api_tokens, is_complete } = await admin.call(listRealmApiTokens, { after_id: one.id - 1 })
      expect(is_complete).toBe(true)
      return api_tokens.map(({ id }: ApiTokenRecord) => id)
    }

    expect(await ids()).toEqual([one.id, other.id])
    expect(await admin.send(revokeApiToken, { token_id: theirs.id })).toMatchObject({ status: 404 })
    for (const { id } of [one, other])
      expect(await admin.send(revokeApiToken, { token_id: id })).toMatchObject(success())
    expect(await ids()).toEqual([])
    expect(await statuses(other.client)).toEqual([401, 401])
    expect(await (await product.createUser()).send(listRealmApiTokens, {})).toMatchObject(
      refusal('UNAUTHORIZED_PRINCIPAL'),
    )
  })

  test('a token that may administer revokes itself', async () => {
    const { client, id } = await newToken(await product.createUser(), ['administer'])

    expect(await client.send(revokeApiToken, { token_id: id })).toMatchObject(success())
    expect(await statuses(client)).toEqual([401, 401])
  })
})

test('a token has a name and at least one scope that exists', async () => {
  const user = await product.createUser()
  const create = (fields: [string, string][]) => user.request('POST', '/api_tokens', fields)

  for (const scopes of ['[]', '["write"]', '["read","all"]', 'read'])
    expect(
      await create([
        ['name', 'x'],
        ['scopes', scopes],
      ]),
    ).toMatchObject({ status: 400 })
  for (const seconds of ['0', '-1', '315360001', '1.5'])
    expect(
      await create([
        ['name', 'x'],
        ['scopes', '["read"]'],
        ['expires_in_seconds', seconds],
      ]),
    ).toMatchObject({ status: 400 })
  expect(
    await create([
      ['name', ' '],
      ['scopes', '["read"]'],
    ]),
  ).toMatchObject(refusal('BAD_REQUEST'))
  expect(await user.call(listApiTokens, {})).toMatchObject({ api_tokens: [] })
})

test('calls by tokens count as calls of their account', async () => {
  const user = await product.createUser()
  const { client } = await newToken(user)
  const { queueId } = await registerQueue(user)
  expect(queueId).not.toContain('-t')
  const remaining = async (one: ApiClient) =>
    Number((await one.send(getOwnUser, {})).headers.get('x-ratelimit-remaining') ?? Number.NaN)

  const before = await remaining(user)
  expect(before).toBeGreaterThan(0)
  expect([await remaining(client), await remaining(user)]).toEqual([before - 1, before - 2])
})

test('an administrator’s token provisions users', async () => {
  const { client } = await newToken(product.owner, ['administer'])
  const account = {
    email: 'provisioned@example.com',
    full_name: 'Provisioned',
    password: 'a long password 7',
  }

  expect(await client.send(createUser, account)).toMatchObject(success())
})
