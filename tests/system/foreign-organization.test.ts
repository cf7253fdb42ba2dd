import { request } from 'node:http'
import { type AnyEndpoint, allEndpoints, endpoints } from '@tms/contracts'
import {
  type Answer,
  ApiClient,
  type EventQueue,
  registerQueue,
  startTestSystem,
  type TestOrganization,
  type TestSystem,
} from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fill, type Names, newTemporaryToken } from './foreign/contents.ts'
import { unknownNames } from './foreign/unknown-names.ts'
import {
  allSamples,
  inputWithoutNames,
  namingRequestsOf,
  sampleOf,
  takesParameters,
} from './samples/all-samples.ts'
import type { Fields, NamingRequests } from './samples/sample.ts'
import { refusal } from './support/answers.ts'
import { sendRequest } from './support/send-request.ts'
import { sendToChannel } from './support/users-and-channels.ts'

/** This text is only in data of the one organization. */
const MARK = 'quagmire'

const titled = (endpoint: AnyEndpoint) => ({ title: `${endpoint.method} ${endpoint.path}`, endpoint })

let product: TestSystem
let theirs: { names: Names; member: ApiClient }
let ours: { names: Names; member: ApiClient }
let us: TestOrganization
/** Our queues, open since before their actions. */
let ourQueues: readonly EventQueue[]

beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    serviceEnv: {
      TRUST_PROXY: 'true',
      DEVELOPMENT_LOGIN: 'true',
      INVITES_PER_DAY: '0',
      INVITES_PER_DAY_OF_NEW_REALMS: '0',
      MAIL_REQUESTS_PER_HOUR: '0',
      MAIL_REQUESTS_PER_DAY: '0',
      MAIL_REQUESTS_PER_IP_PER_DAY: '0',
      PASSWORD_ATTEMPTS_MAX: '1000',
    },
  })
  us = await product.createOrganization('acme')
  ourQueues = [
    (await registerQueue(us.owner, { all_public_streams: true })).follow(),
    (await registerQueue(us.owner)).follow(),
  ]
  theirs = await fill(product, product, MARK)
  ours = await fill(product, us, 'homely')
}, 240_000)
afterAll(async () => {
  await Promise.all((ourQueues ?? []).map((queue) => queue.stop()))
  await product.stop()
})

describe('another organization, at its subdomain', () => {
  test('is found by the Host header', async () => {
    const settingsAt = async (host: string) => (await getByHost(host, '/api/v1/server_settings')).body

    expect(await settingsAt(`acme.${product.system.externalHost}`)).toMatchObject({
      realm_name: 'The acme organization',
      realm_url: `http://acme.${product.system.externalHost}`,
    })
    expect(await settingsAt(product.system.externalHost)).toMatchObject({ realm_name: 'Team Messaging' })
  })

  test('has its own users, channels, pictures, files and pages', async () => {
    const { names, member } = ours
    const read = async (path: string, client = us.anonymous) => (await client.fetch(path)).status

    expect(
      await member.call(endpoints.messaging.getMessage, { message_id: Number(names.message) }),
    ).toMatchObject({ message: { id: Number(names.message) } })
    expect(await read(names.avatarPicture)).toBe(200)
    expect(await read(names.emojiPicture)).toBe(200)
    expect(await read(names.filePath, member)).toBe(200)
    expect(await read(`/join/${names.linkKey}`)).toBe(200)
  })

  test('accepts an address that another organization has, with a separate password', async () => {
    const { body } = await us.anonymous.request('POST', '/fetch_api_key', [
      ['username', us.owner.email],
      ['password', us.ownerPassword],
    ])

    expect(body).toMatchObject({ user_id: us.owner.userId, api_key: us.owner.account?.apiKey })
    expect(us.owner.email).toBe(product.owner.email)
  })
})

describe('a host without an organization', () => {
  const nowhere = (client: ApiClient) => atHost(client, `nowhere.${product.system.externalHost}`)

  test('is reported as unknown', async () => {
    const { anonymous, owner, ownerPassword } = product
    const password = [
      ['username', owner.email],
      ['password', ownerPassword],
    ] as [string, string][]

    expect(await nowhere(anonymous).request('GET', '/server_settings')).toMatchObject(refusal('BAD_REQUEST'))
    expect(await nowhere(anonymous).request('POST', '/fetch_api_key', password)).toMatchObject(
      refusal('NONEXISTENT_SUBDOMAIN', {}, 404),
    )
    expect(await nowhere(owner).request('GET', '/users/me')).toMatchObject(refusal('UNAUTHORIZED', {}, 401))
    expect((await nowhere(anonymous).fetch('/join')).status).toBe(404)
    expect((await nowhere(anonymous).fetch(theirs.names.avatarPicture)).status).toBe(404)
    expect((await nowhere(anonymous).fetch(theirs.names.emojiPicture)).status).toBe(404)
  })
})

describe('credentials of one organization', () => {
  test.each(
    allEndpoints
      .filter(({ auth }) => auth !== 'public' && auth !== 'user-by-key' && auth !== 'provisioner')
      .map((endpoint) => ({ name: endpoint.name, endpoint })),
  )('are unknown at the host of another: $name', async ({ endpoint }) => {
    const foreignUser = atHost(theirs.member, us.owner.host)
    const [fields = {}] = requestsOf(endpoint, ours.names)

    expect(await sendRequest(foreignUser, endpoint, fields)).toMatchObject(refusal('UNAUTHORIZED', {}, 401))
  })

  test('have no address at the host of another', async () => {
    const foreignUser = atHost(theirs.member, us.owner.host)
    const address = `/api/v1/external/json?api_key=${theirs.member.account?.apiKey}`

    expect((await foreignUser.fetch(address, { method: 'POST', body: '{"a":1}' })).status).toBe(401)
  })

  test('do not sign in at the host of another', async () => {
    const signIn = (email: string) =>
      us.anonymous.request('POST', '/fetch_api_key', [
        ['username', email],
        ['password', `password of ${email}`],
      ])

    // An address of another organization has a different error, so that its owner finds the right host.
    expect(await signIn(theirs.names.email)).toMatchObject(refusal('NONEXISTENT_SUBDOMAIN', {}, 404))
    expect(await signIn('nobody@example.com')).toMatchObject(refusal('AUTHENTICATION_FAILED', {}, 401))
  })
})

describe('data of another organization', () => {
  /** Everything that the other organization's users would notice, before and after the requests. */
  let before: unknown
  let theirQueues: readonly EventQueue[]
  const clients = () => [product.owner, theirs.member]
  beforeAll(async () => {
    before = await Promise.all(clients().map(stateOf))
    theirQueues = await Promise.all(clients().map(async (client) => (await registerQueue(client)).follow()))
  })
  afterAll(() => Promise.all(theirQueues.map((queue) => queue.stop())))

  // First, since the requests repeat the names.
  test('is unknown here', async () => {
    const words = 'and so are we'
    await sendToChannel(us.owner, Number(ours.names.channel), words)
    for (const queue of ourQueues) {
      await queue.waitFor((event) => JSON.stringify(event).includes(words), words)

      expect(JSON.stringify(queue.events)).not.toContain(MARK)
      expect(JSON.stringify(queue.state)).not.toContain(MARK)
    }
    expect(JSON.stringify(await us.owner.call(endpoints.events.register, {}))).not.toContain(MARK)
  })

  test('is requested at every endpoint that takes parameters', () => {
    const named = allSamples.filter(([, { foreign }]) => foreign).map(([name]) => name)

    expect(named.sort()).toEqual(
      allEndpoints
        .filter(takesParameters)
        .map(({ name }) => name)
        .sort(),
    )
  })

  test.each(allEndpoints.map(titled))('is as unknown as a missing ID: $title', async ({ endpoint }) => {
    const foreignNames = theirs.names
    const unknown = unknownNames(foreignNames)
    const requests = namingRequestsOf(endpoint)
    const pairs = requests ? zip(requests(foreignNames, ours.names), requests(unknown, ours.names)) : []
    for (const [knownFields, unknownFields] of pairs) {
      const [answerToKnown, answerToUnknown] = [
        await sendRequest(await caller(endpoint), endpoint, knownFields),
        await sendRequest(await caller(endpoint), endpoint, unknownFields),
      ]

      expect({ knownFields, answer: redacted(answerToKnown, [foreignNames, unknown]) }).toEqual({
        knownFields,
        answer: redacted(answerToUnknown, [foreignNames, unknown]),
      })
    }
    const input = inputWithoutNames(endpoint)
    if (input) {
      const answer = await sendRequest(await caller(endpoint), endpoint, input)

      expect(answer.text).not.toContain(MARK)
      expect([endpoint.name, answer.status < 500]).toEqual([endpoint.name, true])
    }
  })

  test.each(
    allEndpoints
      .filter(
        (endpoint) => endpoint.method === 'GET' && endpoint.answer !== 'page' && namingRequestsOf(endpoint),
      )
      .map(titled),
  )('is available to its own users: $title', async ({ endpoint }) => {
    const { filePath } = theirs.names
    // The tests before may have taken more than a minute.
    const temporaryToken = await newTemporaryToken(theirs.member, filePath)
    const foreignNames = { ...theirs.names, temporaryToken }
    const unknown = unknownNames(foreignNames)
    const requests = namingRequestsOf(endpoint) as NamingRequests
    const pairs = zip(requests(foreignNames, foreignNames), requests(unknown, foreignNames))
    const client = endpoint.auth === 'administrator' ? product.owner : theirs.member
    const differ = await Promise.all(
      pairs.map(async ([knownFields, unknownFields]) => {
        const [answerToKnown, answerToUnknown] = await Promise.all(
          [knownFields, unknownFields].map(async (fields) =>
            redacted(await sendRequest(client, endpoint, fields), [foreignNames, unknown]),
          ),
        )
        return JSON.stringify(answerToKnown) !== JSON.stringify(answerToUnknown)
      }),
    )

    expect(differ).toContain(true)
  })

  test('has not changed', async () => {
    expect(await Promise.all(clients().map(stateOf))).toEqual(before)
  })

  test('receives no event of these requests', async () => {
    const words = 'we are among ourselves'
    await sendToChannel(product.owner, Number(theirs.names.channel), words, theirs.names.topic)
    for (const queue of theirQueues) {
      const isEnd = (event: { type: string }) => JSON.stringify(event).includes(words)
      await queue.waitFor(isEnd, words)

      expect(queue.events.slice(0, queue.events.findIndex(isEnd))).toEqual([])
    }
  })
})

describe('a user’s own data', () => {
  /** Names of data that only the member can see or change. */
  const OWN = [
    'privateChannel',
    'privateMessage',
    'directMessage',
    'draft',
    'savedSnippet',
    'scheduledMessage',
    'queue',
  ] as const
  /** A user who tries to write into a private channel learns that its ID exists, but not its name. */
  const LISTS_CHANNELS = ['sendMessage', 'createScheduledMessage']
  const STATE = [
    'drafts',
    'saved_snippets',
    'scheduled_messages',
    'subscriptions',
    'unread_msgs',
    'starred_messages',
  ] as const
  const ownState = async () => {
    const state = await stateOf(ours.member)
    return STATE.map((part) => state[part])
  }
  let before: unknown
  let colleague: ApiClient
  beforeAll(async () => {
    before = await ownState()
    colleague = await us.createUser()
  })

  test.each(allEndpoints.filter((endpoint) => namingRequestsOf(endpoint)).map(titled))(
    'is as unknown to colleagues as a missing ID: $title',
    async ({ endpoint }) => {
      const unknown = unknownNames(ours.names)
      const hidden = OWN.filter(
        (kind) => kind !== 'privateChannel' || !LISTS_CHANNELS.includes(endpoint.name),
      )
      const unknownFields = {
        ...ours.names,
        ...Object.fromEntries(hidden.map((kind) => [kind, unknown[kind]])),
      }
      const requests = namingRequestsOf(endpoint) as NamingRequests
      const pairs = zip(requests(ours.names, ours.names), requests(unknownFields, ours.names)).filter(
        ([theirOwn, unknownOwn]) => JSON.stringify(theirOwn) !== JSON.stringify(unknownOwn),
      )
      for (const [knownFields, other] of pairs) {
        const answerToKnown = redacted(await sendRequest(colleague, endpoint, knownFields), [
          ours.names,
          unknownFields,
        ])
        const answerToUnknown = redacted(await sendRequest(colleague, endpoint, other), [
          ours.names,
          unknownFields,
        ])

        expect({ knownFields, answer: answerToKnown }).toEqual({ knownFields, answer: answerToUnknown })
      }
    },
  )

  test('has not changed', async () => {
    expect(before).not.toContain(undefined)
    expect(await ownState()).toEqual(before)
    const poll = { queue_id: ours.names.queue, last_event_id: -1, dont_block: true }
    expect((await ours.member.send(endpoints.events.getEvents, poll)).status).toBe(200)
  })
})

/** A new user if the account, key or organization ends: a member cannot end an organization. */
async function caller(endpoint: AnyEndpoint): Promise<ApiClient> {
  const { caller: who = 'bot' } = sampleOf(endpoint)
  return who === 'bot' ? us.owner : us.createUser()
}

function requestsOf(endpoint: AnyEndpoint, names: Names): readonly Fields[] {
  return namingRequestsOf(endpoint)?.(names, names) ?? [inputWithoutNames(endpoint) ?? {}]
}

function zip<T>(some: readonly T[], others: readonly T[]): [T, T][] {
  return some.map((one, index) => [one, others[index] as T])
}

const atHost = ({ baseUrl, account }: ApiClient, host: string | null) =>
  new ApiClient(baseUrl, account, undefined, host)

/**
 * An answer, with the names of both requests replaced by their kinds, since answers repeat their input. Numbers are one kind:
 * small ones are in every text.
 */
function redacted({ status, headers, text }: Answer, both: readonly Names[]): Record<string, unknown> {
  const kinds = both
    .flatMap((names) => Object.entries(names) as [string, string][])
    .sort(([, one], [, other]) => other.length - one.length)
  const named = (whole: string) => {
    // Pictures of unknown users depend on the hash of the request, a new queue on its ID; each form has its token.
    let rest = whole.replaceAll(
      /[0-9a-f]{32,}|[0-9a-f]{8}-[0-9a-f-]{27}|(?<=value=")[\w-]{22}\.[\w-]{43}(?=")/g,
      '<hash>',
    )
    for (const [kind, name] of kinds) {
      const pattern = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      rest = /^\d+$/.test(name)
        ? rest.replaceAll(new RegExp(`(?<!\\d)${pattern}(?!\\d)`, 'g'), '<number>')
        : rest.replaceAll(new RegExp(pattern, 'gi'), `<${kind}>`)
    }
    return rest
  }
  return { status, place: named(headers.get('location') ?? ''), text: named(text) }
}

/** The register state of a user, without the queue and the time. */
async function stateOf(client: ApiClient): Promise<Record<string, unknown>> {
  const state: Record<string, unknown> = { ...(await client.call(endpoints.events.register, {})) }
  for (const own of ['queue_id', 'last_event_id', 'server_timestamp']) delete state[own]
  return state
}

/** Unlike `fetch`, sends another host than the one that it connects to. */
function getByHost(host: string, path: string): Promise<{ body: unknown }> {
  return new Promise((resolve, reject) => {
    request(product.baseUrl + path, { headers: { host } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('end', () => resolve({ body: JSON.parse(Buffer.concat(chunks).toString()) as unknown }))
    })
      .once('error', reject)
      .end()
  })
}
