import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endpoints, Role } from '@tms/contracts'
import {
  type Answer,
  type ApiClient,
  canStartDirectory,
  createTestFolder,
  startTestDirectory,
  startTestSystem,
  type TestDirectory,
  type TestOrganization,
  type TestSystem,
} from '@tms/test-kit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { open, post } from './support/account-pages.ts'
import { refusal, success } from './support/answers.ts'
import { invitationTo, invite } from './support/invitations.ts'
import { mailsTo, waitForMail } from './support/mails.ts'
import { addPerson, replaceIn, signedIn, signIn, type Values } from './support/people-of-directory.ts'
import { anyPicture, onePixel, rotatedPicture } from './support/pictures.ts'
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts'
import { createTestAuthority, type TestAuthority } from './support/test-authority.ts'
import { stopWatching, watch } from './support/watch.ts'

const { createBot, getOwnUser, updateSettings } = endpoints.users
const { getServerSettings, updateRealm } = endpoints.realm
const MAX_ATTEMPTS = 5
/** Longer than the directory may take. */
const SOON_MS = 4_000

let authority: TestAuthority
let directory: TestDirectory
let proxy: TcpProxy
let product: TestSystem
/** An organization whose users bind with their own names. */
let direct: TestOrganization
/** An organization whose directory is always away, and one whose directory has a certificate of another authority. */
let lost: TestOrganization
let untrusted: TestOrganization
/** An organization without a directory. */
let plain: TestOrganization

const where = canStartDirectory(process.env) ? describe : describe.skip

where('a directory', () => {
  beforeAll(async () => {
    authority = createTestAuthority('Directory')
    const { TLS_CA_FILE: ca, TLS_CERTIFICATE_FILE: certificate, TLS_KEY_FILE: key } = authority.variables
    directory = await startTestDirectory(process.env, { ca, certificate, key })
    proxy = await startTcpProxy({ host: '127.0.0.1', port: directory.port })
    product = await startTestSystem({
      env: process.env,
      serviceEnv: {
        TRUST_PROXY: 'true',
        PASSWORD_ATTEMPTS_MAX: String(MAX_ATTEMPTS),
        MAIL_REQUESTS_PER_IP_PER_DAY: '0',
        SIGN_ON: JSON.stringify({ ldap: { directories: await directories(ca) } }),
      },
    })
    direct = await product.createOrganization('direct')
    lost = await product.createOrganization('lost')
    untrusted = await product.createOrganization('untrusted')
    plain = await product.createOrganization('plain')
    await product.owner.call(updateRealm, { invite_required: false })
    await direct.owner.call(updateRealm, { invite_required: false })
  }, 180_000)
  afterAll(async () => {
    await product?.stop()
    proxy?.close()
    await directory?.stop()
    authority?.remove()
  })

  describe('is offered to the organizations that have it', () => {
    test('server settings and register say so', async () => {
      expect(await product.owner.call(getServerSettings, {})).toMatchObject({
        authentication_methods: { password: true, email: true, ldap: true, saml: false },
        external_authentication_methods: [],
        email_auth_enabled: true,
        require_email_format_usernames: false,
      })
      expect(await realmState(product.owner)).toMatchObject({
        realm_authentication_methods: {
          Email: { enabled: true, available: true },
          LDAP: { enabled: true, available: true },
        },
      })
    })

    test('another organization cannot switch it on, and takes only addresses as user names', async () => {
      expect(await plain.owner.call(getServerSettings, {})).toMatchObject({
        authentication_methods: { password: true, email: true, ldap: false },
        require_email_format_usernames: true,
      })
      expect(
        await plain.owner.send(updateRealm, { authentication_methods: { Email: true, LDAP: true } }),
      ).toMatchObject(refusal('BAD_REQUEST', { msg: expect.stringMatching(/^Invalid .* LDAP\./) }))
      expect(await signIn(plain, 'ada', 'x')).toMatchObject(refusal('BAD_REQUEST'))
    })
  })

  describe('signs in', () => {
    test('a person by user name, whose account is made then, with name, role and profile', async () => {
      const { id } = await product.owner.call(endpoints.realm.createProfileField, {
        name: 'Phone',
        field_type: 1,
      })
      const ada = await person('ada', { cn: 'Ada Lovelace', telephoneNumber: '+44 1', employeeType: 'chief' })

      const client = await signedIn(product, 'ada', ada.password)

      expect(client.email).toBe('ada@example.com')
      expect(await client.call(getOwnUser, {})).toMatchObject({
        full_name: 'Ada Lovelace',
        role: Role.moderator,
        profile_data: { [id]: { value: '+44 1' } },
      })
      const { subscriptions } = await client.call(endpoints.messaging.listSubscriptions, {})
      expect(subscriptions.map(({ name }) => name)).toContain('general')
    })

    test('the same account by address, in any case, and with changes of the entry', async () => {
      const bob = await person('bob', { cn: 'Bob One' })
      const first = await signedIn(product, 'bob', bob.password)

      await replace(bob.dn, { cn: 'Bob Two', employeeType: 'guest' })
      const second = await signedIn(product, 'BOB@Example.COM', bob.password)

      expect(second.userId).toBe(first.userId)
      expect(second.account?.apiKey).toBe(first.account?.apiKey)
      expect(await second.call(getOwnUser, {})).toMatchObject({ full_name: 'Bob Two', role: Role.guest })
    })

    test('a person with the picture of the entry, until there is another or none', async () => {
      const picture = Buffer.from(onePixel)
      const { name, dn, password } = await person('portrayed', { jpegPhoto: picture })
      const client = await signedIn(product, name, password)
      const avatarNow = async () => (await client.call(getOwnUser, {})).avatar_url
      const avatarWith = async (jpegPhoto: Values) => {
        await replace(dn, { jpegPhoto })
        await signedIn(product, name, password)
        return avatarNow()
      }
      const taken = await avatarNow()
      expect(taken).toMatch(/^\/user_avatars\//)
      expect(await client.uploadTo('/api/v1/users/me/avatar', anyPicture)).toMatchObject(success())
      const own = await avatarNow()
      expect(own).not.toBe(taken)

      expect(await avatarWith(picture)).toBe(own)
      expect(await avatarWith(Buffer.from('no picture'))).toBe(own)
      const another = await avatarWith(Buffer.from(rotatedPicture))
      expect(another).toMatch(/^\/user_avatars\//)
      expect(another).not.toBe(own)
      expect(await avatarWith([])).toContain('gravatar.com')
    })

    test('an existing account that has the address, whose stored password is worth nothing then', async () => {
      const existing = await product.createUser('Cleo Existing')
      const cleo = await person('cleo', { mail: existing.email })
      const stored = `password of ${existing.email}`
      expect(await signIn(product, existing.email, stored)).toMatchObject(
        refusal('AUTHENTICATION_FAILED', {}, 401),
      )

      expect((await signedIn(product, 'cleo', cleo.password)).userId).toBe(existing.userId)
      await directory.change((client) => client.del(cleo.dn))

      expect(await signIn(product, existing.email, stored)).toMatchObject(
        refusal('AUTHENTICATION_FAILED', {}, 401),
      )
      expect(
        await existing.send(updateSettings, {
          old_password: stored,
          new_password: 'another long phrase here',
        }),
      ).toMatchObject(refusal('BAD_REQUEST'))
      await post(`${product.baseUrl}/accounts/password/reset/`, { email: existing.email })
      const mail = await waitForMail(product, existing.email, 'Your password for')
      expect(mail.text).toContain('directory')
    })

    test('a person with a stored password and no entry', async () => {
      const user = await product.createUser()

      expect(await signIn(product, user.email, `password of ${user.email}`)).toMatchObject(success())
    })

    test('people who bind with their own names, whose addresses are made from them', async () => {
      const dora = await person('dora', { cn: 'Dora Direct', mail: [] })

      const client = await signedIn(direct, 'dora', dora.password)

      expect(client.email).toBe('dora@corp.example.com')
      expect((await signedIn(direct, 'Dora@corp.example.com', dora.password)).userId).toBe(client.userId)
      expect(await signIn(direct, 'dora', 'wrong')).toMatchObject(refusal('AUTHENTICATION_FAILED', {}, 401))
      expect(await signIn(direct, 'dora,ou=people', dora.password)).toMatchObject(
        refusal('AUTHENTICATION_FAILED', {}, 401),
      )
    })
  })

  describe('makes accounts under the rules of the organization', () => {
    afterEach(() =>
      product.owner.call(updateRealm, { invite_required: false, emails_restricted_to_domains: false }),
    )

    test('where invitations are needed, an invited person joins as invited, and nobody else', async () => {
      await product.owner.call(updateRealm, { invite_required: true })
      const [eve, emil] = [await person('eve'), await person('emil', { employeeType: [] })]
      expect(await signIn(product, 'eve', eve.password)).toMatchObject(
        refusal('AUTHENTICATION_FAILED', { msg: expect.stringContaining('invitation') }, 401),
      )
      await invite(product.owner, 'emil@example.com', { invite_as: Role.moderator })

      const client = await signedIn(product, 'emil', emil.password)

      expect(await client.call(getOwnUser, {})).toMatchObject({ email: 'emil@example.com' })
      expect(await invitationTo(product.owner, 'emil@example.com')).toBeUndefined()
    })

    test('addresses of other domains are refused', async () => {
      await product.owner.call(updateRealm, { emails_restricted_to_domains: true })
      const fay = await person('fay')

      expect(await signIn(product, 'fay', fay.password)).toMatchObject(
        refusal('AUTHENTICATION_FAILED', { msg: expect.stringContaining('domains') }, 401),
      )
    })

    test('two first log-ins at once make one account', async () => {
      const gus = await person('gus')

      const answers = await Promise.all([1, 2, 3].map(() => signIn(product, 'gus', gus.password)))

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(new Set(answers.map(({ body }) => body['user_id'])).size).toBe(1)
    })
  })

  describe('lets nobody in', () => {
    test.each([
      ['an empty password', 'hal', ''],
      ['a wrong password', 'hal', 'wrong'],
      ['a filter', '*', 'password of hal'],
      ['a filter that closes another', '*)(uid=*', 'password of hal'],
      ['a backslash', 'hal\\', 'password of hal'],
      ['a control character', 'hal\u0001', 'password of hal'],
    ])('by %s', async (_what, name, password) => {
      await person('hal').catch(() => {})

      expect(await signIn(product, name, password)).toMatchObject(
        password === ''
          ? { status: expect.any(Number), body: { result: 'error' } }
          : refusal('AUTHENTICATION_FAILED', {}, 401),
      )
    })

    test('whose entry has no address, or one that is none', async () => {
      const ida = await person('ida', { mail: 'ida at home' })

      expect(await signIn(product, 'ida', ida.password)).toMatchObject(
        refusal('AUTHENTICATION_FAILED', {}, 401),
      )
    })

    test('whose entry claims the address of another entry, or of a bot', async () => {
      await person('owner', { mail: product.owner.email })
      const jon = await person('jon', { mail: product.owner.email })
      await product.owner.call(createBot, { full_name: 'Jo Bot', short_name: 'jo' })
      const kim = await person('kim', { mail: `jo-bot@${new URL(product.baseUrl).hostname}` })

      for (const { name, password } of [jon, kim]) {
        expect(await signIn(product, name, password)).toMatchObject(refusal('AUTHENTICATION_FAILED', {}, 401))
      }
    })

    test('whose entry says that they have left', async () => {
      const lea = await person('lea')
      await signedIn(product, 'lea', lea.password)

      await replace(lea.dn, { businessCategory: 'left' })

      expect(await signIn(product, 'lea', lea.password)).toMatchObject(
        refusal('AUTHENTICATION_FAILED', {}, 401),
      )
    })

    test('whose account is deactivated, which they learn with the right password', async () => {
      const max = await person('max')
      const { userId } = await signedIn(product, 'max', max.password)
      await product.owner.call(endpoints.users.deactivateUser, { user_id: userId })

      expect(await signIn(product, 'max', 'wrong')).toMatchObject(refusal('AUTHENTICATION_FAILED', {}, 401))
      expect(await signIn(product, 'max', max.password)).toMatchObject(refusal('USER_DEACTIVATED', {}, 401))
    })

    test('after too many wrong passwords, however the name is written', async () => {
      const nia = await person('nia')
      const spellings = ['nia', 'NIA', 'nia@example.com', ' Nia ', 'Nia@example.com']
      for (const name of spellings)
        expect(await signIn(product, name, 'wrong')).toMatchObject(refusal('AUTHENTICATION_FAILED', {}, 401))

      expect(await signIn(product, 'nia', nia.password)).toMatchObject(refusal('RATE_LIMIT_HIT', {}, 429))
      expect(await signIn(product, 'nia@example.com', nia.password)).toMatchObject(
        refusal('RATE_LIMIT_HIT', {}, 429),
      )
    })
  })

  describe('where it alone has the passwords', () => {
    const setMethods = (methods: Record<string, boolean>) =>
      product.owner.send(updateRealm, { authentication_methods: methods })
    afterEach(() => setMethods({ Email: true, LDAP: true }))

    test('clients get an event, and the new state', async () => {
      const watcher = await watch(product.owner, { event_types: ['realm'] })

      expect(await setMethods({ Email: false, LDAP: true })).toMatchObject(
        success({ authentication_methods: { Email: false, LDAP: true } }),
      )

      const methods = {
        Email: { enabled: false, available: true },
        LDAP: { enabled: true, available: true },
      }
      const event = await watcher.queue.waitFor(({ type }) => type === 'realm', 'the event')
      await stopWatching([watcher])
      expect(event).toMatchObject({
        ...{ op: 'update_dict', property: 'default', data: { authentication_methods: methods } },
      })
      expect(await realmState(product.owner)).toMatchObject({
        ...{ realm_authentication_methods: methods },
        ...{ realm_email_auth_enabled: false, realm_password_auth_enabled: true },
      })
      expect(await product.owner.call(getServerSettings, {})).toMatchObject({
        authentication_methods: { password: true, email: false, ldap: true },
        email_auth_enabled: false,
      })
    })

    test('stored passwords are refused everywhere, and count again later', async () => {
      const user = await product.createUser()
      const password = `password of ${user.email}`
      const reset = `${product.baseUrl}/accounts/password/reset/`
      await setMethods({ Email: false, LDAP: true })

      expect(await signIn(product, user.email, password)).toMatchObject(
        refusal('AUTHENTICATION_FAILED', {}, 401),
      )
      expect(
        await user.send(updateSettings, { old_password: password, new_password: 'another long phrase' }),
      ).toMatchObject(refusal('BAD_REQUEST'))
      expect((await open(reset)).status).toBe(403)
      expect((await post(reset, { email: user.email })).status).toBe(403)
      expect((await open(`${product.baseUrl}/join/`)).text).toContain(
        'log in as your organization does elsewhere',
      )
      expect((await post(`${product.baseUrl}/join/`, { email: 'new@example.com' })).status).toBe(403)
      expect(await mailsTo(product, 'new@example.com')).toEqual([])

      await setMethods({ Email: true, LDAP: true })
      expect(await signIn(product, user.email, password)).toMatchObject(success())
    })

    test('and where it is off, its passwords are', async () => {
      const ola = await person('ola')
      await setMethods({ Email: true, LDAP: false })

      expect(await signIn(product, 'ola@example.com', ola.password)).toMatchObject(
        refusal('AUTHENTICATION_FAILED', {}, 401),
      )
      expect(await signIn(product, 'ola', ola.password)).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('one method stays on', async () => {
      expect(await setMethods({ Email: false, LDAP: false })).toMatchObject(
        refusal('BAD_REQUEST', { msg: expect.stringContaining('At least one') }),
      )
    })
  })

  describe('that does not answer', () => {
    test('hinders its people, within the time that it has, and costs them no attempt', async () => {
      const pia = await person('pia')
      await signedIn(product, 'pia', pia.password)
      const restore = proxy.blackHole()
      try {
        const begin = Date.now()
        const names = [...Array.from({ length: MAX_ATTEMPTS }, () => 'pia'), 'pia@example.com']
        const answers: Answer[] = []
        for (const name of names.slice(0, 2)) answers.push(await signIn(product, name, pia.password))
        expect((Date.now() - begin) / 2).toBeLessThan(SOON_MS)
        answers.push(...(await Promise.all(names.map((name) => signIn(product, name, pia.password)))))
        for (const answer of answers) expect(answer).toMatchObject(refusal('SERVICE_UNAVAILABLE', {}, 503))
      } finally {
        restore()
      }
      proxy.cut()
      expect(await signIn(product, 'pia', pia.password)).toMatchObject(success())
    })

    test('hinders nobody whose password is stored, and opens no door for its people', async () => {
      const [user, quin] = [await product.createUser(), await product.createUser('Quin Known')]
      const entry = await person('quin', { mail: quin.email })
      await signedIn(product, 'quin', entry.password)
      await directory.kill()
      try {
        expect(await signIn(product, user.email, `password of ${user.email}`)).toMatchObject(success())
        expect(await signIn(product, user.email, 'wrong')).toMatchObject({ status: 503 })
        expect(await signIn(product, quin.email, `password of ${quin.email}`)).toMatchObject({ status: 503 })
      } finally {
        await directory.start()
      }
      expect(await signIn(product, 'quin', entry.password)).toMatchObject(success())
    })

    test('at its address, or by a certificate that nobody trusts, has no passwords sent to it', async () => {
      const rob = await person('rob')

      for (const organization of [lost, untrusted])
        expect(await signIn(organization, 'rob', rob.password)).toMatchObject({ status: 503 })
    })
  })
})

async function directories(ca: string): Promise<object[]> {
  const passwordFile = join(createTestFolder(process.env), 'password')
  writeFileSync(passwordFile, `${directory.reader.password}\n`)
  const common = {
    base: `ou=people,${directory.suffix}`,
    timeout_seconds: 1,
  }
  const searched = {
    ...common,
    service_account: { dn: directory.reader.dn, password: { file: passwordFile } },
    filter: '(|(uid={name})(mail={name}))',
    attributes: {
      ...{ email: 'mail', full_name: 'cn', avatar: 'jpegPhoto' },
      profile_fields: { Phone: 'telephoneNumber' },
    },
  }
  return [
    {
      ...searched,
      name: 'main',
      organizations: [''],
      url: `ldap://localhost:${proxy.port}`,
      start_tls: true,
      ca: { file: ca },
      disabled: { attribute: 'businessCategory', values: ['left'] },
      roles: { attribute: 'employeeType', values: { chief: 'moderator', guest: 'guest' } },
    },
    {
      ...common,
      name: 'direct',
      organizations: ['direct'],
      url: `ldaps://localhost:${directory.securePort}`,
      ca: await readFile(ca, 'utf8'),
      direct_bind: `uid={name},ou=people,${directory.suffix}`,
      filter: '(uid={name})',
      email_domain: 'corp.example.com',
      attributes: { user_name: 'uid', full_name: 'cn' },
    },
    {
      ...searched,
      name: 'lost',
      organizations: ['lost'],
      url: 'ldap://127.0.0.1:1',
      allow_unencrypted: true,
    },
    {
      ...searched,
      name: 'untrusted',
      organizations: ['untrusted'],
      url: `ldaps://localhost:${directory.securePort}`,
    },
  ]
}

const person = (uid: string, attributes: Readonly<Record<string, Values>> = {}) =>
  addPerson(directory, uid, attributes)
const replace = (dn: string, attributes: Readonly<Record<string, Values>>) =>
  replaceIn(directory, dn, attributes)

async function realmState(client: ApiClient): Promise<object> {
  return client.call(endpoints.events.register, { fetch_event_types: ['realm'] })
}
