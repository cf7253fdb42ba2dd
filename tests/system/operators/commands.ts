import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints } from '@tms/contracts'
import { ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { waitForMail } from '../support/mails.ts'
import { type Ended, environmentOf, runManageHere, startManage } from '../support/run-manage.ts'
import { until } from '../support/until.ts'
import { newChannel, newUsers, secondsFromNow, sendToChannel } from '../support/users-and-channels.ts'

const PASSWORD = 'correct horse battery staple'
const COMMANDS = [
  'list-organizations',
  'create-organization',
  'deactivate-organization',
  'reactivate-organization',
  'delete-organization',
  'create-owner',
  'notify-test',
  'announce',
  'web-push-keys',
  'push-registration-key',
  'push-relay',
  'reset-password',
  'allow-email-changes',
  'sync-directory',
  'check-sign-on',
  'create-integration',
  'create-scim-token',
  'settings',
  'set',
  'export',
  'import',
  'queues',
  'log',
  'log-entries',
  'projections',
  'replay',
  'render-again',
]

let product: TestSystem

const manage = (args: readonly string[], stdin = '', more: Record<string, string> = {}): Promise<Ended> =>
  runManageHere({ ...environmentOf(product), ...more }, args, stdin)
/** The result of a command for a program. */
const asked = async (args: readonly string[], stdin = '') => {
  const { code, stdout, stderr } = await manage([...args, '--json'], stdin)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}
const rejectsUsage = (message: string) => ({ ...refused(message), code: 2 })
const refused = (message: string) => ({ code: 1, stdout: '', stderr: expect.stringContaining(message) })
const signIn = (host: string, username: string, password: string) =>
  new ApiClient(product.baseUrl, null, undefined, host).request('POST', '/fetch_api_key', [
    ['username', username],
    ['password', password],
  ])

export const commandTests = (system: () => TestSystem): void => {
  beforeAll(() => {
    product = system()
  })

  describe('an organization', () => {
    const hostOf = (subdomain: string) => `${subdomain}.${product.system.externalHost}`
    const creating = (subdomain: string, ...more: string[]) => [
      'create-organization',
      subdomain,
      '--name',
      'Sales and more',
      '--owner-email',
      'boss@example.com',
      ...more,
    ]

    test('is created with an owner, who signs in at its subdomain, and channels for new users', async () => {
      const { organization, owner } = await asked(creating('sales'))

      expect(organization).toMatchObject({ subdomain: 'sales', url: `http://${hostOf('sales')}` })
      expect(await signIn(hostOf('sales'), owner.email, owner.password)).toMatchObject({
        status: 200,
        body: { api_key: owner.api_key, user_id: owner.id },
      })
      const account = { userId: owner.id, email: owner.email, apiKey: owner.api_key }
      const client = new ApiClient(product.baseUrl, account, undefined, hostOf('sales'))
      expect(await client.call(endpoints.users.getOwnUser, {})).toMatchObject({ is_owner: true })
      const { streams } = await client.call(endpoints.messaging.listChannels, { include_default: true })
      expect(streams.filter(({ is_default }) => is_default).map(({ name }) => name)).toContain('general')
    })

    test('reads the password from the standard input, and does not print it', async () => {
      const { owner } = await asked(creating('quiet', '--password-stdin'), `${PASSWORD}\n`)

      expect(owner.password).toBeNull()
      expect((await signIn(hostOf('quiet'), owner.email, PASSWORD)).status).toBe(200)
      const again = ['reset-password', 'quiet', owner.email, '--password-stdin']
      expect((await manage(again, `${PASSWORD}\n`)).stdout).toMatch(/^Password +as given$/m)
      expect(await manage(creating('silent', '--password-stdin'))).toEqual(refused('no password'))
    })

    test('is created once', async () => {
      await asked(creating('once'))

      expect(await manage(creating('ONCE'))).toEqual(refused('already'))
    })

    test('requires a valid host name below a valid host', async () => {
      const atAddress = { EXTERNAL_HOST: '127.0.0.1:9991' }

      expect(await manage(creating('not.one'))).toEqual(refused('subdomain'))
      expect(await manage(creating('other'), '', atAddress)).toEqual(refused('EXTERNAL_HOST'))
    })

    test('is not created, not even partly, from invalid input', async () => {
      const creatingBy = (email: string, ...more: string[]) =>
        manage(['create-organization', 'whole', '--name', 'Whole', '--owner-email', email, ...more])
      const isThere = async () =>
        (await asked(['list-organizations'])).organizations.some(
          ({ subdomain }: { subdomain: string }) => subdomain === 'whole',
        )

      expect(await creatingBy('no address')).toEqual({
        code: 1,
        stdout: '',
        stderr: 'The e-mail address is not valid\n',
      })
      expect(await creatingBy('boss@example.com', '--owner-name', 'B')).toEqual(
        refused('at least 2 characters'),
      )
      expect(await manage(creating('whole'), '', { GATEWAY_URL: 'http://127.0.0.1:9' })).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('The gateway does not answer'),
      })
      expect(await isThere()).toBe(false)
      expect((await creatingBy('boss@example.com')).code).toBe(0)
      expect(await isThere()).toBe(true)
    })

    test('whose creation was interrupted is finished by the same command, under the new name', async () => {
      const messaging = [0, 1].map((index) => product.system.replica('messaging', index))
      await Promise.all(messaging.map((replica) => replica.kill('SIGKILL')))
      const broken = await manage(creating('broken'))
      await Promise.all(messaging.map((replica) => replica.start()))

      expect(broken).toMatchObject({ code: 3, stderr: expect.stringContaining('messaging') })
      await until(async () => (await product.owner.request('GET', '/streams')).status === 200)
      const { organization, owner } = await asked([
        ...['create-organization', 'broken', '--name', 'Mended', '--owner-email', 'Boss@example.com'],
      ])
      const account = { userId: owner.id, email: 'boss@example.com', apiKey: owner.api_key }
      const client = new ApiClient(product.baseUrl, account, undefined, hostOf('broken'))
      const { streams } = await client.call(endpoints.messaging.listChannels, {})
      expect({ name: organization.name, password: owner.password }).toEqual({
        name: 'Mended',
        password: null,
      })
      expect(streams.map(({ name }) => name)).toContain('general')
      expect((await asked(['settings', 'broken', 'name'])).settings).toEqual({ name: 'Mended' })
      expect(await manage(creating('broken'))).toEqual(refused('already, "Mended"'))
    })

    test('is listed', async () => {
      await asked(creating('listed'))
      const { organizations } = await asked(['list-organizations'])
      const { stdout } = await manage(['list-organizations'])

      expect(organizations).toContainEqual(
        expect.objectContaining({ subdomain: 'listed', name: 'Sales and more', is_active: true }),
      )
      expect(stdout).toMatch(/^ID +SUBDOMAIN +NAME/)
      expect(stdout).toMatch(/^ *\d+ {2}\. +Team Messaging/m)
    })
  })

  describe('an organization that is deactivated', () => {
    test('rejects its users until it is reactivated with all its data', async () => {
      const { owner } = await asked([
        ...['create-organization', 'closing', '--name', 'Closing', '--owner-email', 'boss@example.com'],
      ])
      const host = `closing.${product.system.externalHost}`
      const account = { userId: owner.id, email: owner.email, apiKey: owner.api_key }
      const client = new ApiClient(product.baseUrl, account, undefined, host)
      const channel = await newChannel(client)
      const own = () => client.send(endpoints.users.getOwnUser, {})
      const queue = await registerQueue(client)

      expect(await manage(['deactivate-organization', 'closing'])).toEqual(refused('--yes'))
      expect(await own()).toMatchObject(success())
      expect(await asked(['deactivate-organization', 'Closing', '--yes'])).toMatchObject({
        organization: { subdomain: 'closing', is_active: false },
        is_changed: true,
      })
      expect(await own()).toMatchObject(refusal('UNAUTHORIZED', {}, 401))
      expect(await signIn(host, owner.email, owner.password)).toMatchObject(
        refusal('REALM_DEACTIVATED', {}, 401),
      )
      expect((await manage(['deactivate-organization', 'closing', '--yes'])).stdout).toContain('already')
      expect((await asked(['list-organizations'])).organizations).toContainEqual(
        expect.objectContaining({ subdomain: 'closing', is_active: false }),
      )

      expect(await asked(['reactivate-organization', 'closing'])).toMatchObject({
        organization: { is_active: true },
        is_changed: true,
      })
      expect(await own()).toMatchObject(success())
      const { streams } = await client.call(endpoints.messaging.listChannels, {})
      expect(streams.map(({ stream_id }) => stream_id)).toContain(channel.id)
      expect(await client.request('GET', '/events', [['queue_id', queue.queueId]])).toMatchObject({
        body: { code: 'BAD_EVENT_QUEUE_ID' },
      })
      expect((await manage(['reactivate-organization', 'closing'])).stdout).toContain('already')
      expect(await manage(['deactivate-organization', 'nowhere', '--yes'])).toEqual(refused("'nowhere'"))
    })
  })

  describe('an account', () => {
    test('that owns the organization is created once', async () => {
      const { owner } = await asked(['create-owner', '.', 'second@example.com', '--name', 'Second Owner'])

      const account = { userId: owner.id, email: owner.email, apiKey: owner.api_key }
      expect(
        await new ApiClient(product.baseUrl, account).call(endpoints.users.getOwnUser, {}),
      ).toMatchObject({
        full_name: 'Second Owner',
        is_owner: true,
      })
      expect(await manage(['create-owner', '.', 'Second@example.com'])).toEqual(refused('already'))
    })

    test('gets another password, and its owner a mail', async () => {
      const [user] = await newUsers(product, 1)
      if (!user) throw new Error('no user was created')
      const { email } = user
      const { user: changed } = await asked(['reset-password', '.', email])
      const { externalHost } = product.system

      expect(changed).toMatchObject({ id: user.userId, email })
      expect((await signIn(externalHost, email, changed.password)).status).toBe(200)
      expect(await signIn(externalHost, email, `password of ${email}`)).toMatchObject(
        refusal('AUTHENTICATION_FAILED', {}, 401),
      )
      expect((await waitForMail(product, email, 'password')).text).toContain('has just been changed')
    })

    test('gets a trial mail, and the operator learns what would be in the way', async () => {
      const [user] = await newUsers(product, 1)
      const { email } = user
      const trial = ['notify-test', '.', '--user', email]
      const { mail, pushes } = await asked(trial)
      expect(pushes).toEqual({ devices: [], obstacles: [expect.stringContaining('no device')] })
      expect(mail).toMatchObject({
        user_id: user.userId,
        email,
        failure: null,
        reply_address: null,
        obstacles: [],
      })
      const sent = await waitForMail(product, email, '#test > notifications')
      expect(sent.text).toContain('tries out whether mails reach you')

      await user.call(endpoints.users.updateSettings, { enable_offline_email_notifications: false })
      const { mail: unwanted } = await asked(trial)
      expect(unwanted.obstacles).toEqual([expect.stringContaining('turned these mails off')])
      await user.call(endpoints.users.updateSettings, {
        ...{ enable_offline_email_notifications: true, quiet_until: secondsFromNow(3_600) },
        message_content_in_email_notifications: false,
      })
      await user.call(endpoints.users.updatePresence, { status: 'active' })
      const { mail: held, pushes: heldPushes } = await asked(trial)
      const [quiet, active] = [expect.stringContaining('quiet until'), expect.stringContaining('was active')]
      expect(held.obstacles).toEqual([quiet, active, expect.stringContaining('show no messages')])
      expect(heldPushes.obstacles).toEqual([expect.stringContaining('no device'), quiet])
      expect(await manage(['notify-test', '.', '--user', 'nobody@example.com'])).toEqual(refused('Nobody'))
    })

    test('gets a digest as a trial, and the operator learns what would be in the way', async () => {
      const [user] = await newUsers(product, 1)
      const channel = await newChannel(product.owner, { others: [user] })
      await sendToChannel(product.owner, channel.id, 'a good idea', 'ideas')
      const { digest } = await asked(['notify-test', '.', '--user', user.email, '--digest'])
      expect(digest).toMatchObject({ user_id: user.userId, email: user.email, failure: null })
      expect(digest.obstacles).toEqual([expect.stringContaining('digest_emails_enabled')])
      expect((await waitForMail(product, user.email, 'What you missed')).text).toContain('a good idea')
    })

    test('may change the addresses of others while an operator lets it', async () => {
      const [user] = await newUsers(product, 1)
      const change = (new_email: string) =>
        product.owner.send(endpoints.users.updateUser, { user_id: user.userId, new_email })
      expect(await change('before@example.com')).toMatchObject(refusal('BAD_REQUEST'))

      const { user: allowed } = await asked(['allow-email-changes', '.', product.owner.email])
      expect(allowed).toMatchObject({ id: product.owner.userId, can_change_user_emails: true })
      expect(await change('between@example.com')).toMatchObject(success())
      const { user: refusedAgain } = await asked([
        'allow-email-changes',
        '.',
        product.owner.email,
        '--revoke',
      ])
      expect(refusedAgain).toMatchObject({ can_change_user_emails: false })
      expect(await change('after@example.com')).toMatchObject(refusal('BAD_REQUEST'))
      expect(await manage(['allow-email-changes', '.', 'nobody@example.com'])).toEqual(refused('Nobody'))
    })

    test('keeps its password after invalid input', async () => {
      const weak = ['reset-password', '.', product.owner.email, '--password-stdin']

      expect(await manage(weak, 'abc\n')).toEqual(refused('password'))
      expect(await manage(['reset-password', '.', 'nobody@example.com'])).toEqual(refused('Nobody'))
      expect(await manage(['reset-password', 'nowhere', product.owner.email])).toEqual(refused("'nowhere'"))
      expect(
        (await signIn(product.system.externalHost, product.owner.email, product.ownerPassword)).status,
      ).toBe(200)
    })
  })

  describe('settings', () => {
    test('are changed, delivered to everyone, and listed', async () => {
      const queue = (await registerQueue(product.owner)).follow()
      const { changes } = await asked(['set', '.', 'mandatory_topics=true', 'description=Run by others'])

      expect(changes).toEqual({ mandatory_topics: true, description: 'Run by others' })
      await queue.waitFor(({ type, property }) => type === 'realm' && property === 'description')
      await queue.stop()
      expect(await asked(['settings', '.', 'mandatory_topics', 'description'])).toEqual({
        settings: { mandatory_topics: true, description: 'Run by others' },
      })
      expect((await manage(['settings', '.'])).stdout).toMatch(/^mandatory_topics +true$/m)
      expect((await manage(['set', '.', 'mandatory_topics=true'])).stdout).toContain('Nothing changed')
    })

    test('are all changed, or none', async () => {
      const set = (...pairs: string[]) => manage(['set', '.', 'name=Changed', ...pairs])

      expect(await set('no_such_setting=1')).toEqual(refused("'no_such_setting'"))
      expect(await set('mandatory_topics=perhaps')).toEqual(refused('mandatory_topics'))
      expect(await set('signup_announcements_stream_id=999999')).toEqual(refused('hannel'))
      expect(await set('without a value')).toEqual(rejectsUsage('name=value'))
      expect(await manage(['settings', '.', 'no_such_setting'])).toEqual(refused('no_such_setting'))
      expect(await asked(['settings', '.', 'name'])).toEqual({ settings: { name: 'Team Messaging' } })
    })
  })

  describe('events', () => {
    test('that are pending in a queue are counted, for everyone or one user', async () => {
      const [user, other] = await newUsers(product, 2)
      if (!user || !other) throw new Error('no user was created')
      const channel = await newChannel(product.owner, { others: [user] })
      const queue = await registerQueue(user, { event_types: ['message'] })
      await registerQueue(other)
      for (let i = 0; i < 3; i++) await sendToChannel(product.owner, channel.id)
      const queuesOf = async (...args: string[]) =>
        (await asked(['queues', ...args])).queues as { queue_id: string; user_id: number; waiting: number }[]

      await until(async () => (await queuesOf('--user', String(user.userId)))[0]?.waiting === 3)
      expect(await queuesOf('--user', String(user.userId))).toMatchObject([
        { queue_id: queue.queueId, user_id: user.userId, event_types: ['message'] },
      ])
      const everyones = await queuesOf('--organization', '.')
      expect(everyones.map(({ user_id }) => user_id)).toEqual(
        expect.arrayContaining([user.userId, other.userId]),
      )
      const deaf = await registerQueue(other, { event_types: [] })
      const { stdout } = await manage(['queues'])
      expect(stdout).toMatch(new RegExp(`${queue.queueId} .* message$`, 'm'))
      expect(stdout).toMatch(new RegExp(`^ *1 +${other.userId} .* all$`, 'm'))
      expect(stdout).toMatch(new RegExp(`${deaf.queueId} .* none$`, 'm'))
      expect(await manage(['queues', '--user', 'me'])).toEqual(rejectsUsage("'me'"))
    })

    test('have a log, which every partition follows', async () => {
      const { end, replicas, partitions } = await asked(['log'])

      expect(replicas).toHaveLength(1)
      expect(partitions).toHaveLength(16)
      const owners = partitions.map(({ owner }: { owner: string }) => owner)
      expect(new Set(owners)).toEqual(new Set(replicas))
      await until(async () =>
        ((await asked(['log'])).partitions as { offset: number }[]).every(({ offset }) => offset >= end),
      )
      expect((await manage(['log'])).stdout).toMatch(/^ *0 {2}\S+ +\d+ +\d+ +\d+$/m)
      expect(replicas[0]).toMatch(/-[0-9a-f]{8}$/)
      expect(replicas[0].slice(0, -9)).toBe(hostname())
    })

    test('are printed as they are in the log', async () => {
      const channel = await newChannel(product.owner)
      const messageId = await sendToChannel(product.owner, channel.id, 'a logged message')
      const name = 'messaging.message_sent.v1'
      const listing = ['log-entries', '--event', name, '--limit', '10000', '--organization', '1']
      let entries: { offset: number; event: string; realm_id: number }[] = []
      const ofMessage = () => entries.find((entry) => JSON.stringify(entry).includes('a logged message'))
      await until(async () => {
        entries = (await asked(listing)).entries
        return ofMessage() !== undefined
      })

      expect(JSON.stringify(ofMessage())).toContain(String(messageId))
      expect(new Set(entries.map(({ event }) => event))).toEqual(new Set([name]))
      const { offset = 0 } = ofMessage() ?? {}
      const { entries: after } = await asked(['log-entries', '--from', String(offset), '--limit', '1'])
      expect(after).toMatchObject([{ offset, event: name }])
      expect(await manage(['log-entries', '--from', '-5'])).toEqual(rejectsUsage("'-5' is not an offset"))
      expect(await manage(['log-entries', '--event', 'message_sent'])).toEqual(rejectsUsage(name))
      expect(await manage(['log-entries', '--event', 'nope'])).toEqual(rejectsUsage('users.user_created.v1'))
      expect((await manage(['log-entries', '--limit', '3'])).stdout.trim().split('\n')).toHaveLength(4)
    })
  })

  describe('an archive', () => {
    test('is not started at a path that cannot be written', async () => {
      const nowhere = join(tmpdir(), `tms-nowhere-${process.pid}`)

      expect(await manage(['export', '.', '--output', join(nowhere, 'x.tar.gz')])).toEqual(
        refused(`There is no folder ${nowhere}`),
      )
      expect(existsSync(nowhere)).toBe(false)
      expect(await manage(['export', '.', '--output', tmpdir()])).toEqual(refused('exists already'))
      expect(await manage(['import', tmpdir()])).toEqual(refused('is not a file'))
    })
  })

  describe('the program', () => {
    test.each(COMMANDS)('explains %s', async (command) => {
      const { code, stdout } = await manage([command, '--help'])

      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('--json') })
    })

    test('works the same in a separate process', async () => {
      const inProcess = (args: string[], stdin = '') => startManage(environmentOf(product), args, stdin).ended
      const weak = ['reset-password', '.', product.owner.email, '--password-stdin']

      const ended = [inProcess(['list-organizations']), inProcess(['fly']), inProcess(weak, 'abc\n')]
      expect(await Promise.all(ended)).toEqual([
        await manage(['list-organizations']),
        await manage(['fly']),
        refused('password'),
      ])
    })

    test('names every command, and the variables that it reads', async () => {
      const { stdout } = await manage(['--help'])

      for (const name of [...COMMANDS, 'INTERNAL_PRIVATE_KEY', 'EXTERNAL_HOST'])
        expect(stdout).toContain(name)
    })

    test('reports unknown arguments', async () => {
      expect(await manage(['fly'])).toMatchObject({ code: 2, stderr: expect.stringContaining('fly') })
      expect(await manage(['create-owner', '.'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('address'),
      })
    })

    test('reports missing and invalid variables', async () => {
      expect(await manage(['queues'], '', { INTERNAL_PRIVATE_KEY: 'no key', EVENTS_URL: '' })).toEqual(
        refused('INTERNAL_PRIVATE_KEY is not a private key'),
      )
    })

    test('reports which server is unavailable', async () => {
      const nobody = '127.0.0.1:9'

      expect(await manage(['queues'], '', { EVENTS_URL: `http://${nobody}` })).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('The events service does not answer'),
      })
      expect(await manage(['log-entries'], '', { RABBITMQ_URL: `amqp://u:p@${nobody}` })).toMatchObject({
        code: 3,
        stderr: expect.stringContaining(`RabbitMQ cannot be reached at ${nobody}: connect ECONNREFUSED`),
      })
    })

    test('reports that the key belongs to another installation', async () => {
      const { privateKey } = generateKeyPairSync('ec', {
        namedCurve: 'P-256',
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
        publicKeyEncoding: { type: 'spki', format: 'pem' },
      })

      expect(await manage(['list-organizations'], '', { INTERNAL_PRIVATE_KEY: privateKey })).toEqual(
        refused('INTERNAL_PRIVATE_KEY'),
      )
    })

    test('ends when it is interrupted, whatever it waits for', async () => {
      const silent = await startSilentServer()
      const { ended, kill } = startManage(
        { ...environmentOf(product), EVENTS_URL: `http://127.0.0.1:${silent.port}` },
        ['queues'],
      )
      await silent.connected
      kill('SIGINT')

      expect(await ended).toEqual({ code: 130, stdout: '', stderr: 'Interrupted.\n' })
      silent.stop()
    })
  })
}

/** Accepts connections and never responds. */
async function startSilentServer(): Promise<{ port: number; connected: Promise<unknown>; stop: () => void }> {
  const sockets: Socket[] = []
  const server = createServer((socket) => sockets.push(socket))
  const connected = once(server, 'connection')
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const stop = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port: (server.address() as AddressInfo).port, connected, stop }
}
