import { randomUUID } from 'node:crypto'
import { getContainerRuntimeClient } from 'testcontainers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ApiError, type StartedTeamMessagingContainer, TeamMessagingContainer } from '../src/index.ts'

const image = process.env['TEAM_MESSAGING_IMAGE']
/** Two systems start in parallel on a busy machine. */
const START_TIMEOUT_MS = 240_000
const TIMEOUT_MS = 60_000

vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS })

const started: StartedTeamMessagingContainer[] = []
const get = (index: number): StartedTeamMessagingContainer => {
  const container = started[index]
  if (!container) throw new Error('it did not start')
  return container
}

/** A container with every option. Only this run may reuse it. */
const run = randomUUID()
const acme = () =>
  new TeamMessagingContainer(image)
    .withReuse()
    .withLabels({ run })
    .withOrganization('Acme')
    .withOwner({ fullName: 'Desdemona', email: 'desdemona@acme.test' })
    .withUser({ fullName: 'Iago Moor', role: 'administrator' })
    .withUser({
      fullName: 'Hamlet',
      email: 'hamlet@acme.test',
      password: 'to be or not to be',
      role: 'guest',
    })
    .withBot({ fullName: 'Echo', owner: 'Iago Moor' })
    .withBot({ fullName: 'Pager', type: 'incoming-webhook' })
    .withChannel({ name: 'support' })
    .withChannel({ name: 'secrets', isPrivate: true, subscribers: ['Desdemona', 'Echo'] })

beforeAll(async () => {
  const starts = [acme(), new TeamMessagingContainer(image).withTmpFs({ '/data': 'rw' })]
  const results = await Promise.allSettled(starts.map((container) => container.start()))
  for (const result of results) if (result.status === 'fulfilled') started.push(result.value)
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
}, START_TIMEOUT_MS)

afterAll(async () => {
  await Promise.all(started.map((container) => container.stop()))
}, TIMEOUT_MS)

describe('a started container', () => {
  test('has the requested organization, users and roles', async () => {
    const owner = get(0).getClient()
    expect(await owner.api.getServerSettings()).toMatchObject({
      realm_name: 'Acme',
      realm_url: get(0).getBaseUrl(),
    })
    const { members } = await owner.api.listUsers()
    expect(members).toMatchObject([
      { full_name: 'Desdemona', role: 100, is_bot: false },
      { full_name: 'Iago Moor', role: 200, delivery_email: 'iago.moor@example.com' },
      { full_name: 'Hamlet', role: 600, delivery_email: 'hamlet@acme.test' },
      { full_name: 'Echo', is_bot: true, bot_owner_id: get(0).getUser('Iago Moor').userId },
      { full_name: 'Pager', is_bot: true, bot_type: 2 },
    ])
  })

  test('accepts the password of a user', async () => {
    const { email, password, apiKey } = get(0).getUser('Hamlet')
    expect(password).toBe('to be or not to be')
    const answer = await get(0)
      .getClient()
      .api.fetchApiKey({ username: email, password: String(password) })
    expect(answer).toMatchObject({ api_key: apiKey })
  })

  test('delivers messages to the subscribers of a channel only', async () => {
    const [echo, iago] = [get(0).getClient('Echo'), get(0).getClient('Iago Moor')]
    const [echoInbox, iagoInbox] = [await echo.openInbox(), await iago.openInbox()]

    await get(0).getClient().send({ channel: 'secrets', topic: 'plans', content: 'tonight' })
    const { id } = await get(0).getClient().send({ channel: 'support', topic: 'help', content: 'anybody?' })

    expect(await echoInbox.next()).toMatchObject({ content: 'tonight', subject: 'plans' })
    expect(await echoInbox.next()).toMatchObject({ id })
    expect(await iagoInbox.next()).toMatchObject({ id })
    await Promise.all([echoInbox.close(), iagoInbox.close()])
  })

  test(
    'keeps its accounts if it is reused',
    async () => {
      const again = await acme().start()

      expect(again.getId()).toBe(get(0).getId())
      for (const name of ['Desdemona', 'Iago Moor', 'Hamlet', 'Echo', 'Pager']) {
        expect(again.getUser(name)).toEqual(get(0).getUser(name))
      }
    },
    TIMEOUT_MS,
  )

  test('can get more users and channels', async () => {
    const emilia = await get(0).createUser({ fullName: 'Emilia' })
    await get(0).createChannel({ name: 'laundry', subscribers: ['Emilia'] })

    const { subscriptions } = await get(0).getClient('Emilia').api.listSubscriptions()
    expect(subscriptions).toContainEqual(expect.objectContaining({ name: 'laundry' }))
    expect(get(0).getUser('emilia@example.com')).toEqual(emilia)
  })
})

describe('errors', () => {
  test('have the message of the API', async () => {
    await expect(get(0).createUser({ fullName: 'Twin', email: 'hamlet@acme.test' })).rejects.toMatchObject({
      message: expect.stringMatching(/^the user Twin <hamlet@acme\.test> was refused: .+ \(400 /),
      cause: expect.any(ApiError),
    })
  })

  test('report a password that is easy to guess', async () => {
    await expect(get(0).createUser({ fullName: 'Cassio', password: 'password' })).rejects.toThrow(
      'the user Cassio <cassio@example.com> was refused',
    )
  })

  test(
    'explain how to build a missing image',
    async () => {
      await expect(new TeamMessagingContainer('team-messaging-of-nobody').start()).rejects.toThrow(
        "There is no image team-messaging-of-nobody, and it can't be pulled",
      )
    },
    TIMEOUT_MS,
  )

  test(
    'end a start at once with the message of a service that cannot run',
    async () => {
      const container = new TeamMessagingContainer(image).withEnvironment({ EVENTS_PARTITIONS: 'some' })
      await expect(container.start()).rejects.toThrow('EVENTS_PARTITIONS')
    },
    START_TIMEOUT_MS,
  )
})

test('two containers are independent', async () => {
  const { members } = await get(1).getClient().api.listUsers()
  expect(members).toMatchObject([{ full_name: 'Organization Owner' }])
  expect(get(1).getBaseUrl()).not.toBe(get(0).getBaseUrl())
})

test(
  'a system that was killed and restarted has all its messages',
  async () => {
    const client = get(0).getClient('Iago Moor')
    const { id } = await client.send({ channel: 'support', topic: 'before', content: 'remember this' })

    await get(0).restart({ timeout: 0 })

    const { message } = await client.api.getMessage({ message_id: id })
    expect(message).toMatchObject({ subject: 'before' })
  },
  START_TIMEOUT_MS,
)

test(
  'a service that dies ends the container, whose log says why',
  async () => {
    const { container: containers } = await getContainerRuntimeClient()
    const container = containers.getById(get(1).getId())
    const ended = container.wait() as Promise<{ StatusCode: number }>

    await get(1).exec(['sh', '-c', 'kill -KILL $(pgrep -f services/messaging/)'])

    expect(await ended).toMatchObject({ StatusCode: 1 })
    const logs = await containers.logs(container, { tail: 40 })
    const logText = (await logs.toArray()).join('')
    expect(logText).toContain('messaging ended unexpectedly (SIGKILL)')
  },
  TIMEOUT_MS,
)
