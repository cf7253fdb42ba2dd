import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { endpoints } from '@tms/contracts'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import { type Account, ApiClient, startTestSystem, type TestSystem } from '@tms/test-kit'
import { refusal, success } from './support/answers.ts'

const { createBot, deactivateBot, devFetchApiKey, devListUsers, getOwnUser, regenerateApiKey, updateBot } =
  endpoints.users
/** What is promised, with what one request takes on a busy machine. */
const WITHIN_MS = 1_000
const REQUEST_MS = 500

jest.setTimeout(60_000)
let product: TestSystem
let db: Pool
beforeAll(async () => {
  product = await startTestSystem({ env: process.env, ownServers: true, replicas: { gateway: 2, users: 2 } })
  db = createPool(product.system.databaseUrls.users, 1, createLog('tests', 'silent'))
}, 180_000)
afterAll(async () => {
  await db.end()
  await product.stop()
}, 60_000)

/** The same account at each gateway, which both know it by now. */
const atBothGateways = async (account: Account | null): Promise<ApiClient[]> => {
  const clients = product.system.urls.gateway.map((url) => new ApiClient(url, account))
  for (const client of clients) await client.call(getOwnUser, {})
  return clients
}

/** A bot's account, as its owner made it. */
const accountOf = (shortName: string, made: { user_id: number; api_key: string }): Account => ({
  email: `${shortName}-bot@${new URL(product.baseUrl).hostname}`,
  apiKey: made.api_key,
  userId: made.user_id,
})

/** What each gateway answers from a second after the act on. */
const statusesAfter = async (
  clients: readonly ApiClient[],
  act: () => Promise<unknown>,
): Promise<number[]> => {
  await act()
  const until = Date.now() + WITHIN_MS
  // They keep asking, so that nothing runs out for want of use.
  while (Date.now() < until) await Promise.all(clients.map((client) => client.send(getOwnUser, {})))
  const started = Date.now()
  const answers = await Promise.all(clients.map((client) => client.send(getOwnUser, {})))
  expect(Date.now() - started).toBeLessThan(REQUEST_MS)
  return answers.map(({ status }) => status)
}

describe('within a second, at every gateway', () => {
  test('a replaced key is refused, and the new one taken', async () => {
    const user = await product.createUser()
    const clients = await atBothGateways(user.account)
    let key = ''

    const statuses = await statusesAfter(clients, async () => {
      key = (await user.call(regenerateApiKey, {})).api_key
    })
    expect(statuses).toEqual([401, 401])
    await atBothGateways({ ...(user.account as Account), apiKey: key })
  })

  test('a deactivated account is refused, whatever statement deactivated it', async () => {
    const [one, other] = [await product.createUser(), await product.createUser()]
    const bot = await one.call(createBot, { full_name: 'Soon Gone', short_name: 'soon-gone' })
    const clients = [
      ...(await atBothGateways(accountOf('soon-gone', bot))),
      ...(await atBothGateways(other.account)),
    ]

    const statuses = await statusesAfter(clients, async () => {
      await one.call(deactivateBot, { bot_user_id: bot.user_id })
      await db.query('update accounts set is_active = false where id = $1', [other.userId])
    })
    expect(statuses).toEqual([401, 401, 401, 401])
  })

  test('a role counts that was given, and one that was taken', async () => {
    const { owner } = product
    const bot = await owner.call(createBot, { full_name: 'Up And Down', short_name: 'up-and-down' })
    const clients = await atBothGateways(accountOf('up-and-down', bot))
    const ask = () => Promise.all(clients.map((client) => client.send(endpoints.realm.listLinkifiers, {})))
    const change = () =>
      Promise.all(
        clients.map((client) => client.send(endpoints.realm.updateRealm, { description: 'by a bot' })),
      )
    await ask()
    const give = (role: 200 | 400) => () => owner.call(updateBot, { bot_user_id: bot.user_id, role })

    expect((await change()).map(({ status }) => status)).toEqual([400, 400])
    await statusesAfter(clients, give(200))
    for (const answer of await change()) expect(answer).toMatchObject(success())
    await statusesAfter(clients, give(400))
    for (const answer of await change()) expect(answer).toMatchObject(refusal('UNAUTHORIZED_PRINCIPAL'))
  })

  test('a replaced key is refused while the broker is away', async () => {
    const user = await product.createUser()
    const clients = await atBothGateways(user.account)
    await product.servers.rabbitmq.stop()

    const statuses = await statusesAfter(clients, () => user.call(regenerateApiKey, {}))
    await product.servers.rabbitmq.start()
    expect(statuses).toEqual([401, 401])
  })

  test('a replaced key is refused though a replica of users stands still', async () => {
    const user = await product.createUser()
    const clients = await atBothGateways(user.account)
    const hung = product.system.replica('users', 0)
    await hung.kill('SIGSTOP')
    try {
      await db.query(`update accounts set api_key = repeat('x', 32) where id = $1`, [user.userId])
      const changed = Date.now()
      const untilRefused = async (client: ApiClient) => {
        for (;;) {
          const isLate = Date.now() - changed > WITHIN_MS
          // Of messaging: of what users serves, half waits for the replica.
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

describe('while users is away', () => {
  test('who is known goes on, and who changed just before does not', async () => {
    const [known, gone] = [await product.createUser(), await product.createUser()]
    const clients = await atBothGateways(known.account)
    const refused = await atBothGateways(gone.account)
    await statusesAfter(refused, () => gone.call(regenerateApiKey, {}))
    const replicas = [product.system.replica('users', 0), product.system.replica('users', 1)]
    await Promise.all(replicas.map((replica) => replica.kill()))
    const ask = (client: ApiClient) => client.send(endpoints.messaging.listChannels, {})

    const until = Date.now() + 3 * WITHIN_MS
    while (Date.now() < until) {
      for (const client of clients) expect(await ask(client)).toMatchObject(success())
    }
    for (const client of refused) expect((await ask(client)).status).toBe(503)
    await Promise.all(replicas.map((replica) => replica.start()))
    for (const client of refused) expect((await ask(client)).status).toBe(401)
  })
})

describe('where development login is off', () => {
  test('nobody signs in without a password', async () => {
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
