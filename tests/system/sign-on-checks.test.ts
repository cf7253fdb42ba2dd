import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { endpoints } from '@tms/contracts'
import {
  canStartDirectory,
  startTestDirectory,
  startTestSystem,
  type TestDirectory,
  type TestSystem,
} from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLIENT, type IdentityProvider, startIdentityProvider } from './support/identity-provider.ts'
import { environmentOf, runManageHere } from './support/run-manage.ts'
import { createTestAuthority, type TestAuthority } from './support/test-authority.ts'

const { createBot, deactivateUser } = endpoints.users
const { updateRealm } = endpoints.realm
const WRONG_SECRET = 'a secret of nobody'
const FILTER = '(&(objectClass=inetOrgPerson)(|(uid={name})(title={name})))'

let authority: TestAuthority
let directory: TestDirectory
let idp: IdentityProvider
let liar: Server
let mute: ReturnType<typeof createTcpServer>
let product: TestSystem
/** The address of somebody who has an account and an entry. */
let ada: string

const where = canStartDirectory(process.env) ? describe : describe.skip

where('check-sign-on', () => {
  beforeAll(async () => {
    authority = createTestAuthority('Directory')
    const { TLS_CA_FILE: ca, TLS_CERTIFICATE_FILE: certificate, TLS_KEY_FILE: key } = authority.variables
    directory = await startTestDirectory(process.env, { ca, certificate, key })
    idp = await startIdentityProvider()
    liar = createServer(lies).listen(0, '127.0.0.1')
    mute = createTcpServer(() => {}).listen(0, '127.0.0.1')
    for (const server of [liar, mute])
      if (!server.listening) await new Promise((resolve) => server.once('listening', resolve))
    product = await startTestSystem({
      env: process.env,
      serviceEnv: { SIGN_ON: JSON.stringify(settings(ca)) },
    })
    idp.admit([`http://${product.system.externalHost}/complete/oidc/`])
    await addPeople()
  }, 180_000)
  afterAll(async () => {
    await product?.stop()
    idp?.stop()
    liar?.close()
    mute?.close()
    await directory?.stop()
    authority?.remove()
  })

  const check = async (...args: string[]) => {
    const ended = await runManageHere(environmentOf(product), ['check-sign-on', ...args])
    for (const secret of [directory.reader.password, CLIENT.client_secret, WRONG_SECRET])
      expect(ended.stdout + ended.stderr).not.toContain(secret)
    return ended
  }
  const finds = async (args: string[], code: number, ...texts: string[]) => {
    const { stdout, stderr, code: actual } = await check(...args)
    for (const text of texts) expect(stdout).toContain(text)
    expect({ code: actual, stderr }).toEqual({
      code,
      stderr: code === 0 ? '' : expect.stringMatching(/^Not working: /),
    })
  }

  test('says step by step that a directory works, and which account its user gets', () =>
    finds(
      ['ldap:corp', '--as', 'ada'],
      0,
      '✓ TCP: port',
      '✓ StartTLS: the connection is encrypted',
      `✓ service account: signed in as ${directory.reader.dn}`,
      `✓ base: ou=people,${directory.suffix} is there`,
      'finds uid=ada,ou=people',
      `✓ attributes: the e-mail address is ${ada} (mail)`,
      '✓ attributes: the name is Ada Lovelace (cn)',
      '✓ organization: Team Messaging',
      `✓ account: ${ada} is user`,
    ))

  test('says which rule forbids an account, and that the first sign-in makes one without it', async () => {
    await product.owner.call(updateRealm, { invite_required: true })
    await finds(
      ['ldap:corp', '--as', 'grace'],
      1,
      '✗ account: grace@example.com has none',
      'You need an invitation',
    )
    await product.owner.call(updateRealm, { invite_required: false })
    await finds(
      ['ldap:corp', '--as', 'grace'],
      0,
      '✓ account: grace@example.com has none',
      'the first sign-in makes one',
    )
  })

  test('finds the account of a deactivated person, and that of a bot, and refuses both', async () => {
    const left = await product.createUser()
    await product.owner.call(deactivateUser, { user_id: left.userId ?? 0 })
    const email = left.account?.email ?? ''
    await finds(['oidc:oidc', '--as', email], 1, `✗ account: user ${left.userId}`, 'is deactivated')
    const { user_id: botId } = await product.owner.call(createBot, {
      full_name: 'A bot',
      short_name: 'checked',
    })
    const { members } = await product.owner.call(endpoints.users.listUsers, {})
    const bot = members.find(({ user_id: id }) => id === botId)?.email ?? ''
    await finds(['email', '--as', bot], 1, `✗ account: ${bot} belongs to the bot`)
  })

  test.each([
    ['DNS', 'no-name', '✗ DNS: nowhere.invalid has no address'],
    ['TCP', 'no-port', '✗ TCP: port 1 of 127.0.0.1 accepts no connection', 'ECONNREFUSED'],
    ['TLS', 'no-authority', '✗ TLS: 127.0.0.1 can’t be trusted', 'certificate'],
    ['StartTLS', 'no-start-tls', '✗ StartTLS: the connection can’t be encrypted', 'certificate'],
    ['the service account', 'wrong-account', '✗ service account:', 'its DN or password is wrong'],
    ['the base', 'wrong-base', '✗ base: there is no ou=nowhere'],
    ['a filter that finds nobody', 'wrong-filter', '✗ filter:', 'finds nobody'],
  ])('names what is wrong with a directory: %s', (_, name, ...texts) => finds([`ldap:${name}`], 1, ...texts))

  test.each([
    ['no entry', 'corp', 'nobody', '✗ filter:', 'finds no entry, so ‘nobody’ is unknown'],
    ['a name that would change the filter', 'corp', '*', 'finds no entry, so ‘*’ is unknown'],
    ['two entries', 'corp', 'twin', '✗ filter:', 'finds more than one entry', 'uid=twin-a', 'uid=twin-b'],
    [
      'an address of two entries',
      'corp',
      'shared-a',
      '✗ attributes: shared@example.com is the address of several',
    ],
    ['no address', 'corp', 'nomail', '✗ attributes: mail of uid=nomail', 'is missing or no e-mail address'],
    ['no name', 'no-names', 'ada', '✗ attributes: the name is missing (description)'],
    ['a disabled entry', 'corp', 'left', '✗ attributes: uid=left', 'is disabled, by employeeType'],
  ])('names what is wrong with a person: %s', (_, name, user, ...texts) =>
    finds([`ldap:${name}`, '--as', user], 1, ...texts),
  )

  test('ends within its time when a directory accepts connections and says nothing', async () => {
    const begin = performance.now()
    await finds(['ldap:mute'], 1, '✓ TCP', '✗')
    expect(performance.now() - begin).toBeLessThan(20_000)
  })

  test('says as what a person would bind directly, and that nothing more can be tried', () =>
    finds(
      ['ldap:direct', '--as', 'a,b'],
      1,
      'would be tried as uid=a\\2cb,ou=people',
      'only with the password of a person',
    ))

  test('says that an organization doesn’t use a method, or has it off', async () => {
    await finds(['ldap:direct'], 1, '✗ organization:', 'it is for direct, which --organization checks')
    await product.owner.call(updateRealm, { authentication_methods: { Email: true, LDAP: false } })
    await finds(['ldap:corp'], 1, '✗ organization:', 'has switched LDAP off')
    await product.owner.call(updateRealm, { authentication_methods: { Email: true, LDAP: true } })
  })

  test('says that a provider works, and which URL it must send people back to', () =>
    finds(
      ['oidc:oidc', '--as', product.owner.account?.email ?? ''],
      0,
      '✓ TCP: port',
      `✓ discovery: ${idp.issuer} describes itself`,
      '✓ keys: 1',
      '✓ client: chat and its secret are right',
      `– redirect URL: the provider must know http://${product.system.externalHost}/complete/oidc/`,
      '✓ account:',
    ))

  test.each([
    ['TCP', 'lost', '✗ TCP: port 1 of 127.0.0.1 accepts no connection'],
    ['no discovery', 'undiscovered', '✗ discovery:', 'answers 404'],
    ['discovery that is no JSON', 'wordy', '✗ discovery:', 'is no JSON object'],
    ['another issuer', 'renamed', '✗ discovery: the provider calls itself "https://id.example.com"'],
    ['a missing endpoint', 'partial', '✗ discovery: there is no token_endpoint, jwks_uri'],
    ['no keys', 'keyless', '✗ keys: the provider has none'],
    ['the secret', 'secretless', '✗ client: the provider refuses client_id chat, or client_secret'],
  ])('names what is wrong with a provider: %s', (_, name, ...texts) => finds([`oidc:${name}`], 1, ...texts))

  test('says which address the name at a proxy leads to, and what only a sign-in shows', async () => {
    const [name = ''] = ada.split('@')
    await finds(
      ['remoteuser', '--as', name],
      0,
      '– proxy: the gateway needs REMOTE_USER_HEADER',
      `✓ account: ${ada}`,
    )
    await finds(
      ['remoteuser', '--as', 'a@elsewhere.com'],
      1,
      '✗ proxy: the name ‘a@elsewhere.com’ leads to no',
    )
  })

  test('says where tokens go, and for which organization they are', async () => {
    await finds(
      ['jwt:.', '--as', ada],
      0,
      '✓ key: there is one for HS256',
      '/accounts/login/jwt/',
      '✓ account:',
    )
    await finds(['jwt:sales'], 1, '✗ organization: it is not for', 'but for sales')
  })

  test('hides a secret that a provider repeats', () =>
    finds(['oidc:talkative'], 0, '– client: whether the secret is right', '… can’t be'))

  test('checks all of them, and fails if one is broken', async () => {
    const { code, stdout, stderr } = await check('--json')
    const { checks } = JSON.parse(stdout) as { checks: { method: string; is_working: boolean }[] }
    const working = checks.filter((one) => one.is_working).map(({ method }) => method)
    expect(working).toEqual([...['email', 'ldap:corp', 'oidc:oidc', 'oidc:talkative', 'remoteuser', 'jwt:.']])
    expect(checks.length).toBeGreaterThan(15)
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('ldap:no-name') })
  })

  test('lists the configured ones for a name that is none of them', async () => {
    const { code, stderr } = await check('kerberos')
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('it has email, ldap:corp,') })
  })

  function settings(caFile: string): object {
    const shared = {
      url: `ldap://127.0.0.1:${directory.port}`,
      ...{ start_tls: true, ca: { file: caFile }, service_account: directory.reader },
      ...{ base: `ou=people,${directory.suffix}`, filter: FILTER, timeout_seconds: 2 },
      attributes: { email: 'mail', full_name: 'cn' },
      disabled: { attribute: 'employeeType', values: ['left'] },
    }
    const secure = `ldaps://127.0.0.1:${directory.securePort}`
    const { ca: _, ...distrusted } = shared
    const broken = {
      'no-name': { ...shared, url: 'ldaps://nowhere.invalid', start_tls: false },
      'no-port': { ...shared, url: 'ldaps://127.0.0.1:1', start_tls: false },
      'no-authority': { ...distrusted, url: secure, start_tls: false },
      'no-start-tls': distrusted,
      'wrong-account': { ...shared, service_account: { ...directory.reader, password: WRONG_SECRET } },
      'wrong-base': { ...shared, base: `ou=nowhere,${directory.suffix}` },
      'wrong-filter': { ...shared, filter: '(&(objectClass=device)(uid={name}))' },
      'no-names': { ...shared, attributes: { email: 'mail', full_name: 'description' } },
      mute: { ...shared, url: `ldap://127.0.0.1:${portOf(mute)}`, timeout_seconds: 0.5 },
      direct: {
        ...shared,
        ...{ service_account: undefined, direct_bind: `uid={name},ou=people,${directory.suffix}` },
      },
    }
    const client = { ...CLIENT, kind: 'oidc', allow_unencrypted: true, timeout_seconds: 2 }
    const at = (path: string) => ({ ...client, issuer: `http://127.0.0.1:${portOf(liar)}/${path}` })
    const providers = {
      lost: { ...client, issuer: 'http://127.0.0.1:1' },
      secretless: { ...client, issuer: idp.issuer, client_secret: WRONG_SECRET },
      ...Object.fromEntries(
        ['undiscovered', 'wordy', 'renamed', 'partial', 'keyless', 'talkative'].map((path) => [
          path,
          at(path),
        ]),
      ),
    }
    return {
      ldap: {
        directories: [
          { ...shared, name: 'corp' },
          ...Object.entries(broken).map(([name, one]) => ({ ...one, name, organizations: [name] })),
        ],
      },
      remote_user: { append_domain: 'example.com' },
      jwt: [
        { organization: '', algorithm: 'HS256', key: 'a secret of thirty-two bytes or more' },
        { organization: 'sales', algorithm: 'HS256', key: 'another secret that is as long as it' },
      ],
      providers: [
        { ...client, issuer: idp.issuer },
        ...Object.entries(providers).map(([name, one]) => ({ ...one, name })),
      ],
    }
  }

  async function addPeople(): Promise<void> {
    const add = (uid: string, attributes: Record<string, string>) =>
      directory.add(`uid=${uid},ou=people`, {
        ...{ objectClass: 'inetOrgPerson', uid, cn: uid, sn: uid, mail: `${uid}@example.com` },
        ...attributes,
      })
    const { account } = await product.createUser('Ada')
    ada = account?.email ?? ''
    await add('ada', { cn: 'Ada Lovelace', mail: ada })
    await add('grace', {})
    await add('twin-a', { title: 'twin' })
    await add('twin-b', { title: 'twin' })
    await add('shared-a', { mail: 'shared@example.com' })
    await add('shared-b', { mail: 'shared@example.com' })
    await add('nomail', { mail: 'none' })
    await add('left', { employeeType: 'left' })
  }

  /** Discovery documents with one fault each, by the first part of the path. */
  const lies: RequestListener = ({ url = '' }, response) => {
    const [, name = '', ...rest] = url.split('/')
    const issuer = `http://127.0.0.1:${portOf(liar)}/${name}`
    const document = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    }
    const say = (value: unknown) => response.end(JSON.stringify(value))
    if (rest[0] === 'keys') return say({ keys: name === 'keyless' ? [] : [{ kty: 'RSA' }] })
    if (rest[0] === 'token') return say({ error: `${CLIENT.client_secret} can’t be` })
    if (name === 'undiscovered') return response.writeHead(404).end()
    if (name === 'wordy') return response.end('<p>Hello')
    if (name === 'renamed') return say({ ...document, issuer: 'https://id.example.com' })
    if (name === 'partial') return say({ issuer, authorization_endpoint: `${issuer}/authorize` })
    return say(document)
  }
})

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port
