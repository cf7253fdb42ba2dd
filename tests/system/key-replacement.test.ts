import { rmSync } from 'node:fs'
import { endpoints, internal, Role } from '@tms/contracts'
import { type Keys, loadKeys, type Replica } from '@tms/local-system'
import { createInternalTokenSource, createUserTokenSigner } from '@tms/service-kit'
import {
  ApiClient,
  createTestFolder,
  type HttpExchange,
  registerQueue,
  startTestSystem,
  type TestSystem,
} from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRepeater, type Repeater } from './support/repeater.ts'
import { isUnavailable, retryWhileUnavailable } from './support/retry-while-unavailable.ts'
import { startSending } from './support/start-sending.ts'
import { traffic } from './support/traffic.ts'

const CHANNEL = 'locksmiths'
const PAUSE_MS = 50
/** Messages that every client receives between one replacement and the next. */
const TRAFFIC = 5
const TWO_OF_EACH = { users: 2, realm: 2, messaging: 2, events: 2, gateway: 2 }
/** A replica that stops still answers until its peers have disconnected. */
const AS_IN_PRODUCTION = { DRAIN_SECONDS: '5' }

let product: TestSystem
/** Responses to clients other than success, whether they retried or not. */
const refusals: HttpExchange[] = []
const onAnswer = (exchange: HttpExchange) => {
  if (exchange.answer.status !== 200) refusals.push(exchange)
}
const folder = createTestFolder(process.env)
beforeAll(async () => {
  const { env } = process
  product = await startTestSystem({ env, onAnswer, replicas: TWO_OF_EACH, serviceEnv: AS_IN_PRODUCTION })
}, 180_000)
afterAll(async () => {
  await product.stop()
  rmSync(folder, { recursive: true })
})

describe('replacing the keys of a running system in the three roll-outs of docs/operating.md', () => {
  test('causes no rejected call and delivers every event once and in order; the old keys are void afterwards', async () => {
    const { owner, system } = product
    const [old, fresh] = [system.keys, loadKeys(folder)]
    await owner.call(endpoints.messaging.subscribe, { subscriptions: [{ name: CHANNEL }] })
    const throughEach = system.urls.gateway.map((url) => new ApiClient(url, owner.account, onAnswer))
    const queues = await Promise.all(throughEach.map((client) => registerQueue(client, EVENT_TYPES)))
    for (const queue of queues) queue.follow()
    const sending = startSending(owner, CHANNEL, 'news', PAUSE_MS)
    const requests = throughEach.map(startRequests)

    const rollOut = async (variables: NodeJS.ProcessEnv, ofGateway: NodeJS.ProcessEnv = {}) => {
      for (const index of [0, 1]) {
        await traffic(queues, TRAFFIC, [sending, ...requests])
        await Promise.all(
          system.replicas
            .filter((one) => one.index === index)
            .map((one) =>
              replace(one, one.service === 'gateway' ? { ...variables, ...ofGateway } : variables),
            ),
        )
      }
    }
    await rollOut(publicKeys(old, fresh))
    expect(await answersTo(old)).toEqual(ACCEPTED)
    expect(await answersTo(fresh)).toEqual(ACCEPTED)
    await rollOut(
      { INTERNAL_PRIVATE_KEY: fresh.internal.privateKey },
      { JWT_PRIVATE_KEY: fresh.jwt.privateKey },
    )
    await rollOut(publicKeys(fresh))
    await traffic(queues, TRAFFIC, [sending, ...requests])

    expect(await answersTo(old)).toEqual(REFUSED)
    expect(await answersTo(fresh)).toEqual(ACCEPTED)
    await Promise.all([sending, ...requests].map((one) => one.stop()))
    for (const queue of queues) {
      await queue.until(() => queue.events.length >= sending.sent, 'the last message')
      expect(queue.events.map(({ message }) => (message as { id: number }).id)).toEqual(sending.accepted)
      expect(queue.retries.filter((reason) => !isUnavailable(reason))).toEqual([])
    }
    expect(refusals.map(describeRefusal)).toEqual([])
    await Promise.all(queues.map((queue) => queue.stop()))
  }, 240_000)
})

const EVENT_TYPES = { event_types: ['message'] }
const ACCEPTED = { asGateway: [200, 200], asService: [200, 200] }
const REFUSED = { asGateway: [401, 401], asService: [401, 401] }

function publicKeys(...known: readonly Keys[]): NodeJS.ProcessEnv {
  return {
    JWT_PUBLIC_KEY: known.map(({ jwt }) => jwt.publicKey).join(''),
    INTERNAL_PUBLIC_KEY: known.map(({ internal: { publicKey } }) => publicKey).join(''),
  }
}

async function replace(replica: Replica, variables: NodeJS.ProcessEnv): Promise<void> {
  await replica.stop()
  await replica.start(variables)
}

/**
 * Calls every service, and by `register` each of them through another, until it is stopped. There is no balancer in front of
 * the gateways: a call that fails because one is down is repeated when it is back.
 */
function startRequests(client: ApiClient): Repeater {
  const repeater = createRepeater()
  repeater.repeat(async () => {
    await retryWhileUnavailable(() => client.call(endpoints.users.getOwnUser, {}))
    await retryWhileUnavailable(() => client.call(endpoints.realm.listLinkifiers, {}))
    const { queue_id } = await retryWhileUnavailable(() => client.call(endpoints.events.register, {}))
    await retryWhileUnavailable(() => client.call(endpoints.events.deleteEventQueue, { queue_id }))
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  })
  return repeater
}

/** All replicas' responses to tokens signed with these keys: once as the gateway signs, and once as services do. */
async function answersTo({ jwt, internal: { privateKey } }: Keys): Promise<typeof ACCEPTED> {
  const { owner, realmId, system } = product
  const caller = { userId: owner.userId, realmId, role: Role.owner, isBot: false }
  const [ofUser, ofService] = [
    createUserTokenSigner(jwt.privateKey)(caller),
    createInternalTokenSource('tests', privateKey)(),
  ]
  return {
    asGateway: await statusesOf(system.urls.users, '/api/v1/users/me', { headers: bearer(ofUser) }),
    asService: await statusesOf(system.urls.realm, internal.realm.listRealmProjections.path, {
      method: 'POST',
      headers: { ...bearer(ofService), 'content-type': 'application/json' },
      body: '{}',
    }),
  }
}

const describeRefusal = ({ method, path, answer: { status, text } }: HttpExchange) =>
  `${method} ${path}: ${status} ${text}`

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const statusesOf = (urls: readonly string[], path: string, request: RequestInit): Promise<number[]> =>
  Promise.all(urls.map(async (url) => (await fetch(`${url}${path}`, request)).status))
