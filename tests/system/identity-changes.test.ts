import { endpoints, Role } from '@tms/contracts'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import { type Account, ApiClient, registerQueue, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refusal, success } from './support/answers.ts'
import { temporaryUrlOf, uploadTo } from './support/files.ts'
import { metricOf } from './support/observe.ts'
import { newOrganization, type OtherOrganization, passwordOf } from './support/other-organization.ts'
import { until } from './support/until.ts'

const { createBot, deactivateBot, devFetchApiKey, devListUsers, getOwnUser, regenerateApiKey, updateBot } =
  endpoints.users
/** The maximum time until a change by SQL is noticed, plus one request on a busy machine. */
const NOTICED_MS = 2_000

let product: TestSystem
let db: Pool
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    ownServers: ['rabbitmq'],
    replicas: { gateway: 2, users: 2 },
    // Files of other organizations are requested through a proxy.
    serviceEnv: { TRUST_PROXY: 'true' },
  })
  db = createPool(product.system.databaseUrls.users, 1, createLog('tests', 'silent'))
}, 180_000)
afterAll(async () => {
  await db.end()
  await product.stop()
})

/** The same account at each gateway, which both have cached by now. */
const atBothGateways = async (account: Account | null): Promise<ApiClient[]> => {
  const clients = product.system.urls.gateway.map((url) => new ApiClient(url, account))
  for (const client of clients) await client.call(getOwnUser, {})
  return clients
}

/** A bot's account, created by its owner. */
const accountOf = (shortName: string, made: { user_id: number; api_key: string }): Account => ({
  email: `${shortName}-bot@${new URL(product.baseUrl).hostname}`,
  apiKey: made.api_key,
  userId: made.user_id,
})

/** Each gateway's responses to requests that start after a change was acknowledged. */
const statusesAfter = async (
  clients: readonly ApiClient[],
  act: () => Promise<unknown>,
): Promise<number[]> => {
  await act()
  const answers = await Promise.all(clients.map((client) => client.send(getOwnUser, {})))
  return answers.map(({ status }) => status)
}

/** Registering needs the broker, to which replicas connect a moment after it has started. */
const startBroker = async (): Promise<void> => {
  await product.servers.rabbitmq.start()
  await until(async () => (await product.owner.send(endpoints.events.register, {})).status === 200)
}

describe('after a change was acknowledged, at every gateway', () => {
  test('a replaced key is rejected, and the new one accepted', async () => {
    const user = await product.createUser()
    const clients = await atBothGateways(user.account)
    let key = ''

    const statuses = await statusesAfter(clients, async () => {
      key = (await user.call(regenerateApiKey, {})).api_key
    })
    expect(statuses).toEqual([401, 401])
    await atBothGateways({ ...(user.account as Account), apiKey: key })
  })

  test('a pending poll with a replaced key is rejected, and receives nothing more', async () => {
    const user = await product.createUser()
    const { queue_id } = await user.call(endpoints.events.register, { event_types: ['realm_user'] })
    const poll = { queue_id, last_event_id: -1 }
    const [one, other] = await atBothGateways(user.account)
    const pendingPoll = one?.send(endpoints.events.getEvents, poll)
    await until(
      async () => (await metricOf(product.system.urls.gateway[0] ?? '', 'gateway_pending_polls')) === 1,
    )

    const { api_key } = await user.call(regenerateApiKey, {})

    expect(await pendingPoll).toMatchObject(refusal('UNAUTHORIZED', {}, 401))
    const renewed = new ApiClient(product.baseUrl, { ...(user.account as Account), apiKey: api_key })
    await renewed.call(endpoints.users.updateSettings, { full_name: 'Delivered To The New Key' })
    await until(async () => {
      const { events } = await renewed.call(endpoints.events.getEvents, { ...poll, dont_block: true })
      return JSON.stringify(events).includes('Delivered To The New Key')
    })
    expect(await other?.send(endpoints.events.getEvents, poll)).toMatchObject(
      refusal('UNAUTHORIZED', {}, 401),
    )
  })

  test('a deactivated account is rejected', async () => {
    const user = await product.createUser()
    const bot = await user.call(createBot, { full_name: 'Soon Gone', short_name: 'soon-gone' })
    const clients = await atBothGateways(accountOf('soon-gone', bot))

    const deactivate = () => user.call(deactivateBot, { bot_user_id: bot.user_id })
    expect(await statusesAfter(clients, deactivate)).toEqual([401, 401])
  })

  test('an account that was deactivated by SQL is rejected soon', async () => {
    const user = await product.createUser()
    const clients = await atBothGateways(user.account)
    await db.query('update accounts set is_active = false where id = $1', [user.userId])

    // No response waits until it is cached.
    for (const client of clients) await until(async () => (await client.send(getOwnUser, {})).status === 401)
  })

  test('a granted role and a revoked role apply', async () => {
    const { owner } = product
    const bot = await owner.call(createBot, { full_name: 'Up And Down', short_name: 'up-and-down' })
    const clients = await atBothGateways(accountOf('up-and-down', bot))
    const request = () =>
      Promise.all(clients.map((client) => client.send(endpoints.realm.listLinkifiers, {})))
    const change = () =>
      Promise.all(
        clients.map((client) => client.send(endpoints.realm.updateRealm, { description: 'by a bot' })),
      )
    await request()
    const setRole = (role: 200 | 400) => () => owner.call(updateBot, { bot_user_id: bot.user_id, role })

    expect((await change()).map(({ status }) => status)).toEqual([400, 400])
    await statusesAfter(clients, setRole(200))
    for (const answer of await change()) expect(answer).toMatchObject(success())
    await statusesAfter(clients, setRole(400))
    for (const answer of await change()) expect(answer).toMatchObject(refusal('UNAUTHORIZED_PRINCIPAL'))
  })

  test('a replaced key is rejected while the broker is down', async () => {
    const user = await product.createUser()
    const clients = await atBothGateways(user.account)
    await product.servers.rabbitmq.stop()

    const statuses = await statusesAfter(clients, () => user.call(regenerateApiKey, {}))
    await startBroker()
    expect(statuses).toEqual([401, 401])
  })

  test('a replaced key is rejected while a replica of users is paused', async () => {
    const user = await product.createUser()
    const clients = await atBothGateways(user.account)
    const hung = product.system.replica('users', 0)
    await hung.kill('SIGSTOP')
    try {
      await db.query(`update accounts set api_key = repeat('x', 32) where id = $1`, [user.userId])
      const changed = Date.now()
      const untilRefused = async (client: ApiClient) => {
        for (;;) {
          const isLate = Date.now() - changed > NOTICED_MS
          // In messaging: half of what users serves waits for the replica.
          const { status } = await client.send(endpoints.messaging.listChannels, {})
          if (status === 401) return
          expect([status, isLate]).toEqual([200, false])
        }
      }
      await Promise.all(clients.map(untilRefused))
    } finally {
      await hung.kill('SIGCONT')
    }
  })
})

describe('an organization', () => {
  const { deactivateRealm } = endpoints.realm
  let organization: OtherOrganization
  let member: ApiClient
  beforeEach(async () => {
    organization = await newOrganization(product)
    member = await organization.createUser()
  })
  /** Clients of the same account at each gateway, which both have cached by now. */
  const everywhere = async ({ account }: ApiClient): Promise<ApiClient[]> => {
    const clients = product.system.urls.gateway.map((url) => organization.clientAt(url, account))
    for (const client of clients) await client.call(getOwnUser, {})
    return clients
  }
  const deactivate = () => organization.owner.call(deactivateRealm, {})

  test('that is deactivated rejects all its users, and no others', async () => {
    const bot = await member.call(createBot, { full_name: 'Closed', short_name: 'closed' })
    const botAccount = {
      email: `closed-bot@${organization.hostname}`,
      apiKey: bot.api_key,
      userId: bot.user_id,
    }
    const { email } = await organization.clientAt(product.baseUrl, member.account).call(getOwnUser, {})
    expect(email).toBe(member.email)
    const ours = [...(await everywhere(organization.owner)), ...(await everywhere(member))]
    const others = await atBothGateways(product.owner.account)

    const statuses = await statusesAfter([...ours, ...others], deactivate)
    expect(statuses).toEqual([...ours.map(() => 401), ...others.map(() => 200)])
    for (const client of [...ours, organization.clientAt(product.baseUrl, botAccount)]) {
      expect(await client.send(getOwnUser, {})).toMatchObject(refusal('UNAUTHORIZED', {}, 401))
    }
    const signIn = { username: member.email, password: passwordOf(member.email) }
    expect(await organization.anonymous.send(endpoints.users.fetchApiKey, signIn)).toMatchObject(
      refusal('REALM_DEACTIVATED', {}, 401),
    )
  })

  test('that is deactivated serves no file and no export by existing links', async () => {
    const fileUrl = await temporaryUrlOf(member, await uploadTo(member))
    const { id } = await organization.owner.call(endpoints.realm.startExport, { export_type: 1 })
    const exportUrl = async () => {
      const { exports } = await organization.owner.call(endpoints.realm.listExports, {})
      return exports.find((one) => one.id === id)?.export_url ?? null
    }
    await until(async () => (await exportUrl()) !== null)
    const paths = [fileUrl, new URL((await exportUrl()) ?? '').pathname]
    const statuses = () =>
      Promise.all(paths.map(async (path) => (await organization.anonymous.fetch(path)).status))
    expect(await statuses()).toEqual([200, 200])

    await deactivate()

    expect(await statuses()).toEqual([404, 404])
  })

  test('that is deactivated while the broker is down rejects its users as well', async () => {
    const clients = await everywhere(member)
    await product.servers.rabbitmq.stop()

    const statuses = await statusesAfter(clients, deactivate)
    await startBroker()
    expect(statuses).toEqual([401, 401])
  })

  test('that is reactivated is unchanged, and its keys work', async () => {
    const clients = await everywhere(member)
    await organization.owner.call(endpoints.realm.updateRealm, { description: 'kept' })
    await statusesAfter(clients, deactivate)

    expect(await statusesAfter(clients, () => organization.reactivate())).toEqual([200, 200])
    const { state } = await registerQueue(member, { fetch_event_types: ['realm'] })
    expect(state).toMatchObject({ realm_description: 'kept' })
    // Again, which changes nothing.
    await organization.reactivate()
    expect(await member.send(getOwnUser, {})).toMatchObject(success())
  })

  test('ends pending polls with its deactivation, and deletes its queues', async () => {
    const { queue_id } = await member.call(endpoints.events.register, { event_types: ['realm'] })
    const waiting = member.call(endpoints.events.getEvents, { queue_id, last_event_id: -1 })
    const { queue_id: other } = await member.call(endpoints.events.register, { event_types: ['message'] })
    const waitingElse = member.send(endpoints.events.getEvents, { queue_id: other, last_event_id: -1 })
    await deactivate()

    const { events } = await waiting
    expect(events).toMatchObject([{ type: 'realm', op: 'deactivated', realm_id: organization.realmId }])
    expect(await waitingElse).toMatchObject(refusal('BAD_EVENT_QUEUE_ID', { queue_id: other }))
    await organization.reactivate()
    const again = await member.send(endpoints.events.getEvents, { queue_id, dont_block: true })
    expect(again).toMatchObject(refusal('BAD_EVENT_QUEUE_ID', { queue_id }))
  })

  test.each(['administrator', 'moderator', 'member', 'guest'] as const)(
    'cannot be deactivated by a %s',
    async (name) => {
      const client = await organization.createUser({ role: Role[name] })

      expect(await client.send(deactivateRealm, {})).toMatchObject(refusal('UNAUTHORIZED_PRINCIPAL'))
      expect(await member.send(getOwnUser, {})).toMatchObject(success())
    },
  )
})

describe('while users is down', () => {
  test('known users continue, and users who changed just before do not', async () => {
    const [known, changed] = [await product.createUser(), await product.createUser()]
    const clients = await atBothGateways(known.account)
    const refused = await atBothGateways(changed.account)
    await statusesAfter(refused, () => changed.call(regenerateApiKey, {}))
    const replicas = [product.system.replica('users', 0), product.system.replica('users', 1)]
    await Promise.all(replicas.map((replica) => replica.kill()))
    const request = (client: ApiClient) => client.send(endpoints.messaging.listChannels, {})

    for (const client of clients) expect(await request(client)).toMatchObject(success())
    // A recent rejection is answered from the cache.
    for (const client of refused) expect([401, 503]).toContain((await request(client)).status)
    await Promise.all(replicas.map((replica) => replica.start()))
    for (const client of refused) expect((await request(client)).status).toBe(401)
  })
})

describe('without development login', () => {
  test('signing in requires a password', async () => {
    const { anonymous, owner } = product
    for (const answer of [
      await anonymous.send(devFetchApiKey, { username: owner.email }),
      await anonymous.send(devListUsers, {}),
    ]) {
      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect(JSON.stringify(answer.body)).not.toContain(owner.account?.apiKey)
    }
  })
})
