import { request } from 'node:http'
import { allEndpoints, endpoints } from '@tms/contracts'
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
import { fill, type Names } from './foreign/contents.ts'
import { nobodys } from './foreign/nobodys.ts'
import { ask, endpointOf, type Fields, namingRequests, otherRequests } from './foreign/requests.ts'
import { refusal } from './support/answers.ts'
import { say } from './support/people.ts'

/** Nothing else has this in it than what belongs to the one organization. */
const MARK = 'quagmire'

let product: TestSystem
let theirs: { names: Names; member: ApiClient }
let ours: { names: Names; member: ApiClient }
let us: TestOrganization
/** Of us, open since before they did anything. */
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
}, 60_000)

describe('another organization, at its subdomain', () => {
  test('is found by the Host header', async () => {
    const settingsAt = async (host: string) => (await getByHost(host, '/api/v1/server_settings')).body

    expect(await settingsAt(`acme.${product.system.externalHost}`)).toMatchObject({
      realm_name: 'The acme organization',
      realm_url: `http://acme.${product.system.externalHost}`,
    })
    expect(await settingsAt(product.system.externalHost)).toMatchObject({ realm_name: 'Team Messaging' })
  })

  test('has its own people, channels, pictures, files and pages', async () => {
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

  test('takes an address that another organization has, with a password of its own', async () => {
    const { body } = await us.anonymous.request('POST', '/fetch_api_key', [
      ['username', us.owner.email],
      ['password', us.ownerPassword],
    ])

    expect(body).toMatchObject({ user_id: us.owner.userId, api_key: us.owner.account?.apiKey })
    expect(us.owner.email).toBe(product.owner.email)
  })
})

describe('a host of no organization', () => {
  const nowhere = (client: ApiClient) => atHost(client, `nowhere.${product.system.externalHost}`)

  test('is said to be none', async () => {
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
  test.each(allEndpoints.filter(({ auth }) => auth !== 'public').map(({ name }) => ({ name })))(
    'are nobody’s at the host of another: $name',
    async ({ name }) => {
      const stranger = atHost(theirs.member, us.owner.host)
      const [fields = {}] = requestsOf(name, ours.names)

      expect(await ask(stranger, endpointOf(name), fields)).toMatchObject(refusal('UNAUTHORIZED', {}, 401))
    },
  )

  test('do not sign in at the host of another', async () => {
    const signIn = (email: string) =>
      us.anonymous.request('POST', '/fetch_api_key', [
        ['username', email],
        ['password', `password of ${email}`],
      ])

    // An address that is known elsewhere is told apart, so that its owner looks for the right place.
    expect(await signIn(theirs.names.email)).toMatchObject(refusal('NONEXISTENT_SUBDOMAIN', {}, 404))
    expect(await signIn('nobody@example.com')).toMatchObject(refusal('AUTHENTICATION_FAILED', {}, 401))
  })
})

describe('what another organization has', () => {
  /** Everything that their people would notice, before and after we tried. */
  let before: unknown
  let theirQueues: readonly EventQueue[]
  const clients = () => [product.owner, theirs.member]
  beforeAll(async () => {
    before = await Promise.all(clients().map(stateOf))
    theirQueues = await Promise.all(clients().map(async (client) => (await registerQueue(client)).follow()))
  })
  afterAll(() => Promise.all(theirQueues.map((queue) => queue.stop())))

  // First, since what we try repeats what it names.
  test('is nothing that we have heard of', async () => {
    const words = 'and so are we'
    await say(us.owner, Number(ours.names.channel), words)
    for (const queue of ourQueues) {
      await queue.waitFor((event) => JSON.stringify(event).includes(words), words)

      expect(JSON.stringify(queue.events)).not.toContain(MARK)
      expect(JSON.stringify(queue.state)).not.toContain(MARK)
    }
    expect(JSON.stringify(await us.owner.call(endpoints.events.register, {}))).not.toContain(MARK)
  })

  test('is walked by a request to every endpoint', () => {
    const named = [...Object.keys(namingRequests), ...Object.keys(otherRequests)]

    expect(named.sort()).toEqual(allEndpoints.map(({ name }) => name).sort())
  })

  test.each(allEndpoints.map(({ name, method, path }) => ({ name, title: `${method} ${path}` })))(
    'is as unknown as what does not exist: $title',
    async ({ name }) => {
      const endpoint = endpointOf(name)
      const strangers = theirs.names
      const nobody = nobodys(strangers)
      const asks = namingRequests[name]
      const pairs = asks ? zip(asks(strangers, ours.names), asks(nobody, ours.names)) : []
      for (const [known, unknown] of pairs) {
        const [told, untold] = [
          await ask(await caller(name), endpoint, known),
          await ask(await caller(name), endpoint, unknown),
        ]

        expect({ known, answer: shown(told, [strangers, nobody]) }).toEqual({
          known,
          answer: shown(untold, [strangers, nobody]),
        })
      }
      const other = otherRequests[name]
      if (other) {
        const answer = await ask(await caller(name), endpoint, other)

        expect(answer.text).not.toContain(MARK)
        expect([name, answer.status < 500]).toEqual([name, true])
      }
    },
  )

  test.each(
    allEndpoints
      .filter(({ name, method, answer }) => name in namingRequests && method === 'GET' && answer !== 'page')
      .map(({ name, method, path }) => ({ name, title: `${method} ${path}` })),
  )('is known to its own people: $title', async ({ name }) => {
    const strangers = theirs.names
    const nobody = nobodys(strangers)
    const asks = namingRequests[name]
    const pairs = asks ? zip(asks(strangers, strangers), asks(nobody, strangers)) : []
    const differ = await Promise.all(
      pairs.map(async ([known, unknown]) => {
        const [told, untold] = await Promise.all(
          [known, unknown].map(async (fields) =>
            shown(await ask(theirs.member, endpointOf(name), fields), [strangers, nobody]),
          ),
        )
        return JSON.stringify(told) !== JSON.stringify(untold)
      }),
    )

    expect(differ).toContain(true)
  })

  test('has not changed', async () => {
    expect(await Promise.all(clients().map(stateOf))).toEqual(before)
  })

  test('is told of nothing that we tried', async () => {
    const words = 'we are among ourselves'
    await say(product.owner, Number(theirs.names.channel), words, theirs.names.topic)
    for (const queue of theirQueues) {
      const isEnd = (event: { type: string }) => JSON.stringify(event).includes(words)
      await queue.waitFor(isEnd, words)

      expect(queue.events.slice(0, queue.events.findIndex(isEnd))).toEqual([])
    }
  })
})

describe('what somebody has for themselves', () => {
  /** Names of what only the member can see, or change. */
  const OWN = [
    'privateChannel',
    'privateMessage',
    'directMessage',
    'draft',
    'scheduledMessage',
    'queue',
  ] as const
  /** Who tries to write into a private channel learns that there is one with this ID, though not its name. */
  const TELLS_OF_CHANNELS = ['sendMessage', 'createScheduledMessage']
  const STATE = ['drafts', 'scheduled_messages', 'subscriptions', 'unread_msgs', 'starred_messages'] as const
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

  test.each(
    allEndpoints
      .filter(({ name }) => name in namingRequests)
      .map(({ name, method, path }) => ({ name, title: `${method} ${path}` })),
  )('is as unknown to their colleagues as what does not exist: $title', async ({ name }) => {
    const nobody = nobodys(ours.names)
    const hidden = OWN.filter((kind) => kind !== 'privateChannel' || !TELLS_OF_CHANNELS.includes(name))
    const unknown = { ...ours.names, ...Object.fromEntries(hidden.map((kind) => [kind, nobody[kind]])) }
    const asks = namingRequests[name] as (names: Names, own: Names) => readonly Fields[]
    const pairs = zip(asks(ours.names, ours.names), asks(unknown, ours.names)).filter(
      ([theirOwn, nobodysOwn]) => JSON.stringify(theirOwn) !== JSON.stringify(nobodysOwn),
    )
    for (const [known, other] of pairs) {
      const told = shown(await ask(colleague, endpointOf(name), known), [ours.names, unknown])
      const untold = shown(await ask(colleague, endpointOf(name), other), [ours.names, unknown])

      expect({ known, answer: told }).toEqual({ known, answer: untold })
    }
  })

  test('has not changed', async () => {
    expect(before).not.toContain(undefined)
    expect(await ownState()).toEqual(before)
    const poll = { queue_id: ours.names.queue, last_event_id: -1, dont_block: true }
    expect((await ours.member.send(endpoints.events.getEvents, poll)).status).toBe(200)
  })
})

/** Whose account, key or organization ends can't go on; a member can't end an organization. */
async function caller(name: string): Promise<ApiClient> {
  return ['deactivateOwnUser', 'deactivateRealm', 'regenerateApiKey'].includes(name)
    ? us.createUser()
    : us.owner
}

function requestsOf(name: string, names: Names): readonly Fields[] {
  return namingRequests[name]?.(names, names) ?? [otherRequests[name] ?? {}]
}

function zip<T>(some: readonly T[], others: readonly T[]): [T, T][] {
  return some.map((one, index) => [one, others[index] as T])
}

const atHost = ({ baseUrl, account }: ApiClient, host: string | null) =>
  new ApiClient(baseUrl, account, undefined, host)

/**
 * An answer, with the names of both requests as their kinds, since each answer repeats what it was asked. Numbers are
 * one kind: small ones are in every text.
 */
function shown({ status, headers, text }: Answer, both: readonly Names[]): Record<string, unknown> {
  const kinds = both
    .flatMap((names) => Object.entries(names) as [string, string][])
    .sort(([, one], [, other]) => other.length - one.length)
  const named = (whole: string) => {
    // Pictures of nobody go by the hash of what was asked for, and a new queue by its own ID.
    let rest = whole.replaceAll(/[0-9a-f]{32,}|[0-9a-f]{8}-[0-9a-f-]{27}/g, '<hash>')
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

/** What register tells of someone's world, but for the queue and the time. */
async function stateOf(client: ApiClient): Promise<Record<string, unknown>> {
  const state: Record<string, unknown> = { ...(await client.call(endpoints.events.register, {})) }
  for (const own of ['queue_id', 'last_event_id', 'server_timestamp']) delete state[own]
  return state
}

/** Unlike `fetch`, says another host than the one that it connects to. */
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
