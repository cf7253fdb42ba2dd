import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { allEndpoints, endpoints } from '@tms/contracts'
import { canStartClusters } from '@tms/local-system'
import { clientTlsOf, createLog, createPool, parseEnvironment, tlsVariables } from '@tms/service-kit'
import { type Answer, type ApiClient, registerQueue, startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { metricOf } from './support/observe.ts'
import { environmentOf, runManageHere } from './support/run-manage.ts'
import { createTestAuthority, type TestAuthority } from './support/test-authority.ts'
import { until } from './support/until.ts'
import { newUsers } from './support/users-and-channels.ts'

const CALLS_PER_MINUTE = 40

let ours: TestAuthority
let others: TestAuthority
let product: TestSystem
let [ann, ben]: ApiClient[] = []

// Servers in containers have no certificates.
const where = canStartClusters(process.env) ? describe : describe.skip

where('with servers and services that accept TLS alone', () => {
  beforeAll(async () => {
    ours = createTestAuthority('Test authority')
    others = createTestAuthority('Somebody else')
    product = await startTestSystem({
      env: { ...process.env, ...ours.variables },
      requiresTls: true,
      serviceEnv: {
        RATE_LIMIT_PER_MINUTE: String(CALLS_PER_MINUTE),
        ANONYMOUS_CALLS_PER_MINUTE: String(CALLS_PER_MINUTE),
      },
    })
    ;[ann, ben] = await newUsers(product, 2)
  }, 240_000)
  afterAll(async () => {
    await product.stop()
    ours.remove()
    others.remove()
  })

  test('every address uses TLS, and plain connections are rejected', async () => {
    const { servers, system } = product
    for (const service of ['users', 'realm', 'messaging', 'events'] as const)
      for (const url of system.urls[service]) {
        expect(url).toMatch(/^https:/)
        await expect(fetch(`${url.replace('https:', 'http:')}/health/live`)).rejects.toThrow()
      }
    expect(servers.redis.url).toMatch(/^rediss:/)
    expect(servers.rabbitmq.url).toMatch(/^amqps:/)
    const clear = createPool(system.databaseUrls.users.replace(/\?.*/, ''), 1, createLog('test', 'silent'))
    await expect(clear.query('select 1')).rejects.toThrow(/no encryption/)
    await clear.end()
  })

  test('a message, a file and a presence reach their recipients', async () => {
    const queue = await registerQueue(ben as ApiClient, { event_types: ['message', 'presence'] })
    queue.follow()

    const uploaded = await ann?.upload({ name: 'plan.txt', content: 'The plan' })
    const content = `See [the plan](${String(uploaded?.body['url'])})`
    await ann?.call(endpoints.messaging.sendMessage, { type: 'direct', to: [ben?.userId ?? 0], content })
    await ann?.call(endpoints.users.updatePresence, { status: 'active' })

    const { message } = await queue.waitFor(({ type }) => type === 'message', 'the message')
    expect(message).toMatchObject({ sender_id: ann?.userId })
    await queue.waitFor(({ type, user_id }) => type === 'presence' && user_id === ann?.userId, 'the presence')
    const file = await ben?.fetch(String(uploaded?.body['url']))
    expect(await file?.text()).toBe('The plan')
    // Polls didn't become requests, and requests could go over links.
    const [gateway] = product.system.urls.gateway
    expect(await metricOf(String(gateway), 'gateway_poll_links')).toBeGreaterThan(0)
    expect(await metricOf(String(gateway), 'gateway_request_links')).toBeGreaterThan(0)
    await queue.stop()
  })

  test('an export collects its parts from the services', async () => {
    const { owner } = product
    await owner.call(endpoints.realm.startExport, { export_type: 1 })
    await until(async () => {
      const { exports } = await owner.call(endpoints.realm.listExports, {})
      return exports.some(({ export_url }) => export_url !== null)
    })
  })

  test.each<[string, () => Promise<ApiClient | undefined>, string]>([
    ['with credentials by user', async () => (await newUsers(product, 1))[0], '/users/me'],
    ['without any by address', async () => product.anonymous, '/server_settings'],
  ])('calls %s are counted, and responses show the remaining budget', async (_, getCaller, path) => {
    const caller = await getCaller()
    const answers: (Answer | undefined)[] = []
    while (answers.at(-1)?.status !== 429) answers.push(await caller?.request('GET', path))

    const headersOf = (name: string) => answers.map((answer) => Number(answer?.headers.get(name)))
    expect(new Set(headersOf('x-ratelimit-limit'))).toEqual(new Set([CALLS_PER_MINUTE]))
    const [first = 0] = headersOf('x-ratelimit-remaining')
    expect(headersOf('x-ratelimit-remaining')).toEqual([
      ...Array.from({ length: first + 1 }, (_each, index) => first - index),
      0,
    ])
    const nextMinute = Date.now() / 1000 + 61
    for (const reset of headersOf('x-ratelimit-reset')) expect(reset).toBeLessThan(nextMinute)
    const last = answers.at(-1)
    expect(last?.body).toMatchObject({ result: 'error', code: 'RATE_LIMIT_HIT' })
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('pages count as calls without credentials', async () => {
    let status = 0
    while (status !== 429) status = (await product.anonymous.request('GET', '/openapi.json')).status
    expect((await product.anonymous.request('GET', '/server_settings')).status).toBe(429)

    // All doors that are open to everybody count together; files don't, such as avatars.
    const doors = allEndpoints.filter(({ auth, answer }) => auth === 'public' && answer !== 'file')
    for (const { method, prefix, path } of doors) {
      const url = `${prefix}${path.replaceAll(/\{[^}]*\}/g, 'x')}`
      const { status } = await product.anonymous.fetch(url, { method })
      expect([method, url, status]).toEqual([method, url, 429])
    }
    expect(doors.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['submitLogInPage', 'takeHandOver', 'completePostedSignIn', 'submitUserForm']),
    )
  })

  test('operators read the log, and list organizations', async () => {
    const variables = { ...environmentOf(product), ...ours.variables }
    expect(await runManageHere(variables, ['list-organizations'])).toMatchObject({ code: 0 })
    expect(await runManageHere(variables, ['log-entries', '--limit', '1'])).toMatchObject({ code: 0 })
  })

  test('connects to PostgreSQL over TLS, by an authority in TLS_CA', async () => {
    const pool = createPool(verifiedUrl(), 1, createLog('test', 'silent'), tlsBy(ours))
    const { rows } = await pool.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
    await pool.end()
    expect(rows).toEqual([{ ssl: true }])

    const wary = createPool(verifiedUrl(), 1, createLog('test', 'silent'), tlsBy(others))
    await expect(wary.query('select 1')).rejects.toThrow(/certificate/)
    await wary.end()
  })

  test('a service that trusts another authority reports it and does not start', async () => {
    const { code, stderr } = await startUsers({ TLS_CA_FILE: others.variables.TLS_CA_FILE })

    expect(code).toBe(1)
    expect(stderr).toMatch(/^users: Servers can't be trusted:$/m)
    for (const name of ['DATABASE_URL', 'RABBITMQ_URL', 'REDIS_URL', 'REALM_URL'])
      expect(stderr).toMatch(
        new RegExp(`^  ${name}: 127\\.0\\.0\\.1:\\d+ shows a certificate that isn't trusted`, 'm'),
      )
  })
})

/** Without the file in its server's own URL, so that the variables apply. */
const verifiedUrl = (): string => product.system.databaseUrls.users.replace(/\?.*/, '?sslmode=verify-full')

const tlsBy = ({ variables }: TestAuthority) =>
  clientTlsOf(parseEnvironment(z.object(tlsVariables), variables))

/** Runs a further replica of users until it ends. */
async function startUsers(variables: Record<string, string>): Promise<{ code: number; stderr: string }> {
  const folder = fileURLToPath(new URL('../../services/users', import.meta.url))
  const { system, servers } = product
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...environmentOf(product),
      PORT: '0',
      DATABASE_URL: verifiedUrl(),
      REDIS_URL: servers.redis.url,
      UPLOADS_URL: system.uploadsUrl,
      MAIL_URL: system.mailUrl,
      MAIL_FROM: 'noreply@example.com',
      JWT_PUBLIC_KEY: system.keys.jwt.publicKey,
      INTERNAL_PUBLIC_KEY: system.keys.internal.publicKey,
      ...ours.variables,
      ...variables,
    },
  })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? -1)))
  return { code, stderr }
}
