import { createDecipheriv } from 'node:crypto'
import { endpoints, Role } from '@tms/contracts'
import { mastersOf } from '@tms/service-kit'
import { type ApiClient, startTestSystem, type TestOrganization, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailedKey } from './support/account-pages.ts'
import { expectRefusal, expectSignIn } from './support/audit-entries.ts'
import {
  CLIENT,
  type Claims,
  type IdentityProvider,
  startIdentityProvider,
} from './support/identity-provider.ts'
import { invite, newLink } from './support/invitations.ts'
import { openTestRedis } from './support/test-redis.ts'
import { type Arrival, TRAVELLER_ADDRESS, Traveller } from './support/traveller.ts'

const { createBot, deactivateUser, getOwnUser, reactivateUser } = endpoints.users
const { getServerSettings, updateRealm } = endpoints.realm
const LOG_IN = '/accounts/login/social/oidc'
const SIGN_UP = '/accounts/register/social/oidc'
const PAD = '00112233445566778899aabbccddeeff0123456789abcdeffedcba9876543210'
const DESKTOP = 'ZulipElectron/5.11.0'

let idp: IdentityProvider
let product: TestSystem
/** Its people sign in at another entrance of the provider, which decides about their roles. */
let sales: TestOrganization

beforeAll(async () => {
  idp = await startIdentityProvider()
  const shared = { ...CLIENT, kind: 'oidc', issuer: idp.issuer, allow_unencrypted: true }
  product = await startTestSystem({
    env: process.env,
    serviceEnv: {
      TRUST_PROXY: 'true',
      SIGN_ON: JSON.stringify({
        auto_sign_in: true,
        providers: [
          shared,
          {
            ...{
              ...shared,
              name: 'staff',
              organizations: ['sales'],
              display_name: 'Staff',
              auto_signup: true,
            },
            ...{ updates_name: true, roles: { attribute: 'groups', values: { chiefs: 'administrator' } } },
          },
          { ...shared, name: 'lost', issuer: 'http://127.0.0.1:1', organizations: ['sales'] },
        ],
      }),
    },
  })
  const { externalHost } = product.system
  idp.admit([`http://${externalHost}/complete/oidc/`, `http://${externalHost}/complete/oidc/staff/`])
  sales = await product.createOrganization('sales')
  await product.owner.call(updateRealm, { invite_required: false })
  await sales.owner.call(updateRealm, { invite_required: false })
}, 180_000)
afterAll(async () => {
  await product?.stop()
  idp?.stop()
})

let made = 0
/** Somebody at the provider, who signs in there next. */
function newPerson(claims: Claims = {}): { id: string; email: string } {
  const id = `person-${++made}`
  const email = claims.email ?? `${id}@example.com`
  idp.people.set(id, { email, email_verified: true, name: `Person ${made}`, ...claims })
  idp.person = id
  return { id, email }
}

const emailOf = ({ account }: ApiClient): string => account?.email ?? ''
const isHandOver = (url: string) => url.includes('/accounts/login/subdomain/')
const isAnswer = (url: string) => url.includes('/complete/')

/** Signs in in a new browser, to the last page. */
function travel(path: string, subdomain = ''): Promise<Arrival> {
  const traveller = new Traveller(product)
  return traveller.follow(traveller.urlOf(path, subdomain))
}

/** What the mobile app does with the URL that opens it. */
function readAppUrl({ location }: Arrival): { apiKey: string; email: string; userId: number; realm: string } {
  const url = new URL(location ?? '')
  expect(`${url.protocol}//${url.host}`).toBe('zulip://login')
  const field = (name: string) => url.searchParams.get(name) ?? ''
  const [encrypted, pad] = [field('otp_encrypted_api_key'), PAD].map((hex) => Buffer.from(hex, 'hex'))
  const apiKey = Buffer.from((encrypted ?? []).map((byte, at) => byte ^ (pad?.[at] ?? 0))).toString('ascii')
  return { apiKey, email: field('email'), userId: Number(field('user_id')), realm: field('realm') }
}

describe('a client', () => {
  test('learns which sites it can sign in at', async () => {
    expect(await product.anonymous.call(getServerSettings, {})).toMatchObject({
      authentication_methods: { 'openid connect': true, email: true, google: false },
      external_authentication_methods: [
        {
          ...{ name: 'oidc:oidc', display_name: 'OIDC', display_icon: null },
          ...{ login_url: LOG_IN, signup_url: SIGN_UP },
        },
      ],
    })
    const { external_authentication_methods: methods } = await sales.anonymous.call(getServerSettings, {})
    expect(methods.map(({ name }) => name)).toEqual(['oidc:oidc', 'oidc:staff', 'oidc:lost'])
  })

  test('signs in with the mobile app, which gets the key that its pad encrypts', async () => {
    const user = await product.createUser()
    newPerson({ email: emailOf(user).toUpperCase() })

    const arrival = await travel(`${LOG_IN}?mobile_flow_otp=${PAD}`)

    expect(arrival).toMatchObject({ status: 302, text: '' })
    expect(readAppUrl(arrival)).toEqual({
      apiKey: user.account?.apiKey,
      email: emailOf(user),
      userId: user.userId,
      realm: product.baseUrl,
    })
    expect(arrival.cookies.filter((cookie) => cookie.startsWith('sessionid='))).toEqual([])
  })

  test('signs in with a browser, which gets a session and goes on at the organization', async () => {
    const user = await sales.createUser()
    newPerson({ email: emailOf(user) })
    const traveller = new Traveller(product)

    const arrival = await traveller.follow(
      traveller.urlOf(`${LOG_IN}?next=${encodeURIComponent('/some/page?a=1')}`, 'sales'),
      (url) => url.includes('/some/page'),
    )

    expect(arrival).toMatchObject({ status: 302, location: traveller.urlOf('/some/page?a=1', 'sales') })
    expect(traveller.hasCookie(traveller.urlOf('/', 'sales'), 'sessionid')).toBe(true)
    expect(traveller.hasCookie(traveller.urlOf('/'), 'sessionid')).toBe(false)
  })

  test.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'is not led to %s by a sign-in',
    async (next) => {
      newPerson({ email: emailOf(await product.createUser()) })
      const traveller = new Traveller(product)
      const start = traveller.urlOf(`${LOG_IN}?next=${encodeURIComponent(next)}`)
      const { location } = await traveller.follow(start, (url) => url.endsWith('/account/'))
      expect(location).toBe(traveller.urlOf('/account/'))
    },
  )

  test('signs in with the desktop app, whose token is of no use to a browser', async () => {
    newPerson({ email: emailOf(await product.createUser()) })
    const tokenOf = async () => {
      const { status, text } = await travel(`${LOG_IN}?desktop_flow_otp=${PAD}`)
      expect(status).toBe(200)
      return decrypted(/value="([0-9a-f]{120})"/.exec(text)?.[1] ?? '')
    }
    const [browser, app] = [new Traveller(product), new Traveller(product, DESKTOP)]
    const path = '/accounts/login/subdomain/'

    expect(await browser.open(browser.urlOf(path + (await tokenOf())))).toMatchObject({ status: 400 })
    expect(await app.open(app.urlOf(path + (await tokenOf())))).toMatchObject({ status: 302 })
    expect(app.hasCookie(app.urlOf('/'), 'sessionid')).toBe(true)
  })

  test.each([
    ['mobile_flow_otp', ''],
    ['mobile_flow_otp', PAD.slice(1)],
    ['mobile_flow_otp', `${PAD}0`],
    ['desktop_flow_otp', `g${PAD.slice(1)}`],
    ['desktop_flow_otp', `٠${PAD.slice(1)}`],
    ['mobile_flow_otp', `${PAD}&desktop_flow_otp=${PAD}`],
  ])('cannot begin with %s=%s', async (name, pad) => {
    for (const path of [LOG_IN, '/login/oidc/'])
      expect(await travel(`${path}?${name}=${pad}`)).toMatchObject({ status: 400 })
  })
})

describe('an account', () => {
  test('is made by a sign-up, with the name and the address of the provider', async () => {
    const { email } = newPerson({ name: 'Grace Hopper' })
    const logIn = await travel(`${LOG_IN}?mobile_flow_otp=${PAD}`)
    expect(logIn.status).toBe(200)
    expect(logIn.text).toContain('You have no account yet')
    const signUp = /href="([^"]*register[^"]*)"/.exec(logIn.text)?.[1]?.replaceAll('&amp;', '&') ?? ''

    const { apiKey } = readAppUrl(await new Traveller(product).follow(signUp))

    const grace = await clientOf(product, email, apiKey)
    expect(grace).toMatchObject({ full_name: 'Grace Hopper', delivery_email: email, role: Role.member })
  })

  test('is made by a log-in where the provider does so, with its role; later ones bring changes', async () => {
    const { id, email } = newPerson({ name: 'Chief One', groups: ['chiefs'] })
    const path = `${LOG_IN}/staff?mobile_flow_otp=${PAD}`
    const { apiKey } = readAppUrl(await travel(path, 'sales'))
    expect(await clientOf(sales, email, apiKey)).toMatchObject({
      full_name: 'Chief One',
      role: Role.administrator,
    })

    idp.people.set(id, { email, email_verified: true, name: 'Chief Two', groups: [] })
    readAppUrl(await travel(path, 'sales'))

    expect(await clientOf(sales, email, apiKey)).toMatchObject({ full_name: 'Chief Two', role: Role.member })
  })

  test('stays with its person when the address changes at the provider', async () => {
    const { id, email } = newPerson()
    const first = readAppUrl(await travel(`${SIGN_UP}?mobile_flow_otp=${PAD}`))
    idp.people.set(id, { email: `new-${email}`, email_verified: true })
    expect(readAppUrl(await travel(`${LOG_IN}?mobile_flow_otp=${PAD}`))).toEqual(first)
  })

  test('is not given to somebody else who gets the address there', async () => {
    const { email } = newPerson()
    const first = readAppUrl(await travel(`${SIGN_UP}?mobile_flow_otp=${PAD}`))
    newPerson({ email })
    await expectRefused(`${LOG_IN}?mobile_flow_otp=${PAD}`, 'belongs to somebody else there')

    // An administrator may want that.
    const user_id = first.userId
    await product.owner.call(deactivateUser, { user_id })
    await product.owner.call(reactivateUser, { user_id })
    expect(readAppUrl(await travel(`${LOG_IN}?mobile_flow_otp=${PAD}`))).toMatchObject({ userId: user_id })
  })

  test.each<[string, Claims]>([
    ['is not verified', { email_verified: false }],
    ['is none', { email: 'nobody' }],
  ])('is neither opened nor made by an address that %s', async (_, claims) => {
    const user = await product.createUser()
    newPerson({ email: emailOf(user), ...claims })
    await expectRefused(`${SIGN_UP}?mobile_flow_otp=${PAD}`, 'hasn’t verified an e-mail address')
  })

  test('of a bot, or a deactivated one, is not opened', async () => {
    const bot = await product.owner.call(createBot, { full_name: 'A bot', short_name: `signon${++made}` })
    const owners = (await product.owner.call(endpoints.users.listUsers, {})).members
    newPerson({ email: owners.find(({ user_id }) => user_id === bot.user_id)?.email ?? '' })
    await expectRefused(`${LOG_IN}?mobile_flow_otp=${PAD}`)

    const user = await product.createUser()
    newPerson({ email: emailOf(user) })
    await product.owner.call(deactivateUser, { user_id: user.userId ?? 0 })
    for (const path of [LOG_IN, SIGN_UP])
      await expectRefused(`${path}?mobile_flow_otp=${PAD}`, 'Your account is deactivated')
    await product.owner.call(reactivateUser, { user_id: user.userId ?? 0 })
    readAppUrl(await travel(`${LOG_IN}?mobile_flow_otp=${PAD}`))
  })

  test('needs an invitation where the organization wants one: by mail, or by a link', async () => {
    await product.owner.call(updateRealm, { invite_required: true })
    newPerson()
    await expectRefused(`${SIGN_UP}?mobile_flow_otp=${PAD}`, 'You need an invitation')
    const linkKey = (await newLink(product.owner)).url.replace(/\/$/, '').split('/').at(-1)
    readAppUrl(await travel(`${SIGN_UP}?mobile_flow_otp=${PAD}&multiuse_object_key=${linkKey}`))

    const { email } = newPerson()
    await invite(product.owner, email)
    readAppUrl(await travel(`${SIGN_UP}?mobile_flow_otp=${PAD}`))
    await product.owner.call(updateRealm, { invite_required: false })
  })
})

test('an organization without passwords is joined by the sites alone, also by a reusable link', async () => {
  const { owner } = sales
  await owner.call(updateRealm, { authentication_methods: { Email: false, 'OpenID Connect': true } })
  const { url } = await newLink(owner)
  const key = url.replace(/\/$/, '').split('/').at(-1)
  const { email: invited } = newPerson()
  await invite(owner, invited)
  const mailed = await mailedKey(product, invited, 'invites you')
  const traveller = new Traveller(product)

  const opened = await travel(`/accounts/do_confirm/${mailed}`, 'sales')
  expect(opened.text).not.toContain('name="password"')
  const form = { key: mailed, full_name: 'Ivy Invited', password: 'a long and strange password 7' }
  await traveller.open(traveller.urlOf('/accounts/register/', 'sales'), new URLSearchParams(form))
  const { members } = await owner.call(endpoints.users.listUsers, {})
  expect(members.map(({ full_name }) => full_name)).not.toContain('Ivy Invited')

  const page = await travel(`/join/${key}/`, 'sales')

  expect(page.text).not.toContain('<form')
  expect(page.text).toContain(`href="/accounts/register/social/oidc/staff?multiuse_object_key=${key}"`)
  newPerson()
  readAppUrl(await travel(`${SIGN_UP}?mobile_flow_otp=${PAD}`, 'sales'))
  await owner.call(updateRealm, { authentication_methods: { Email: true, 'OpenID Connect': true } })
})

test('a log-in begun at another name of the host ends at that of the organization', async () => {
  const { email } = newPerson()
  const user = await product.createUser()
  newPerson({ email: emailOf(user) })
  const traveller = new Traveller(product)
  const elsewhere = new URL(`${LOG_IN}?next=/account/%3Fa%3D1`, product.baseUrl)
  elsewhere.hostname = 'localhost'

  const first = await traveller.open(elsewhere.href)
  expect(first.location).toBe(`${product.baseUrl}${LOG_IN}?next=%2Faccount%2F%3Fa%3D1&moved=1`)
  const page = await traveller.follow(elsewhere.href)

  expect([page.url, page.status]).toEqual([`${product.baseUrl}/account/?a=1`, 200])
  expect(page.text).toContain(emailOf(user))
  expect(page.text).not.toContain(email)
  // Behind a proxy that names all hosts alike, the browser is sent there once.
  expect((await traveller.open(`${elsewhere.href}&moved=1`)).location).toContain('/login/oidc/?')
})

test('the log-in page leads straight to the only site, and not after logging out', async () => {
  const straight = await product.createOrganization('straight')
  const user = await straight.createUser()
  const traveller = new Traveller(product)
  const open = (path: string) => traveller.open(traveller.urlOf(path, 'straight'))
  expect((await open('/login/')).status).toBe(200)
  await straight.owner.call(updateRealm, { authentication_methods: { Email: false, 'OpenID Connect': true } })

  const { location } = await open('/login/?next=%2Faccount%2F')
  expect(location).toBe(traveller.urlOf(`${LOG_IN}?next=%2Faccount%2F`, 'straight'))
  expect((await open('/login/?next=//evil.example')).location).toBe(traveller.urlOf(LOG_IN, 'straight'))
  for (const query of ['preview=true', 'is_deactivated=a@example.com', 'email=a@example.com'])
    expect((await open(`/login/?${query}`)).status).toBe(200)

  newPerson({ email: emailOf(user) })
  const page = await traveller.follow(location ?? '')
  expect(page.text).toContain(emailOf(user))
  const csrfmiddlewaretoken = /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const url = traveller.urlOf('/accounts/logout/', 'straight')
  const out = await traveller.open(url, new URLSearchParams({ csrfmiddlewaretoken }))
  const last = await traveller.follow(out.location ?? '')
  expect([last.status, last.url]).toEqual([200, traveller.urlOf('/accounts/login/?preview=true', 'straight')])
  expect(last.text).toContain('Log in with OIDC')
})

describe('a sign-in that is under way', () => {
  test('ends in the browser that began it, once, and at its own site', async () => {
    newPerson({ email: emailOf(await product.createUser()) })
    const [own, other] = [new Traveller(product), new Traveller(product)]
    const begin = async (traveller: Traveller) =>
      (await traveller.follow(own.urlOf(`${LOG_IN}?mobile_flow_otp=${PAD}`), isAnswer)).location ?? ''

    // Of another browser, which has a sign-in of its own.
    const stolen = await begin(own)
    await begin(other)
    expect(await other.open(stolen)).toMatchObject({ status: 400, location: null })
    expect(await own.open(stolen)).toMatchObject({ status: 400, location: null })

    const answer = await begin(own)
    const elsewhere = answer.replace('/complete/oidc/', '/complete/oidc/staff/')
    expect(await own.open(elsewhere)).toMatchObject({ status: 400, location: null })

    const again = await begin(own)
    readAppUrl(await own.open(again))
    expect(await own.open(again)).toMatchObject({ status: 400, location: null })
    for (const query of ['', '?state=', '?code=x', `?state=${'x'.repeat(43)}&code=x`])
      expect(await own.open(own.installationUrlOf(`/complete/oidc/${query}`))).toMatchObject({ status: 400 })
  })

  test('leaves nothing of the one before', async () => {
    newPerson({ email: emailOf(await product.createUser()) })
    const traveller = new Traveller(product)
    await traveller.follow(traveller.urlOf(`${LOG_IN}?mobile_flow_otp=${PAD}&next=/before`), isAnswer)
    const { location } = await traveller.follow(traveller.urlOf(LOG_IN), (url) => url.endsWith('/account/'))
    expect(location).toBe(traveller.urlOf('/account/'))
  })

  test('is handed over to its own organization and browser, once, also if two ask at once', async () => {
    newPerson({ email: emailOf(await sales.createUser()) })
    const traveller = new Traveller(product)
    const begin = async () =>
      (await traveller.follow(traveller.urlOf(LOG_IN, 'sales'), isHandOver)).location ?? ''

    const atOther = (await begin()).replace(/^http:..[^/]+/, product.baseUrl)
    expect(await traveller.open(atOther)).toMatchObject({ status: 400 })
    expect(await new Traveller(product).open(await begin())).toMatchObject({ status: 400 })
    const url = await begin()
    const answers = await Promise.all([traveller.open(url), traveller.open(url)])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([302, 400]))
    for (const token of ['x', 'x'.repeat(32), `${'x'.repeat(31)}é`])
      expect(
        await traveller.open(
          traveller.urlOf(`/accounts/login/subdomain/${encodeURIComponent(token)}`, 'sales'),
        ),
      ).toMatchObject({ status: 400 })
  })

  test('ends without a session if the account or the method is off by then', async () => {
    const user = await sales.createUser()
    newPerson({ email: emailOf(user) })
    const traveller = new Traveller(product)
    const begin = async (stopsAt: (url: string) => boolean) =>
      (await traveller.follow(traveller.urlOf(LOG_IN, 'sales'), stopsAt)).location ?? ''
    const [answer, handOver] = [await begin(isAnswer), await begin(isHandOver)]
    await sales.owner.call(updateRealm, { authentication_methods: { Email: true, 'OpenID Connect': false } })

    expect(await traveller.open(answer)).toMatchObject({ status: 403, location: null })
    expect(await traveller.open(handOver)).toMatchObject({ status: 403, location: null })
    expect(await traveller.open(traveller.urlOf(LOG_IN, 'sales'))).toMatchObject({ status: 404 })
    expect((await sales.anonymous.call(getServerSettings, {})).external_authentication_methods).toEqual([])
    await sales.owner.call(updateRealm, { authentication_methods: { Email: true, 'OpenID Connect': true } })

    const late = await begin(isHandOver)
    await sales.owner.call(deactivateUser, { user_id: user.userId ?? 0 })
    expect(await traveller.open(late)).toMatchObject({ status: 400, location: null })
    expect(traveller.hasCookie(traveller.urlOf('/', 'sales'), 'sessionid')).toBe(false)
  })

  test('ends without a session if the organization is deactivated by then', async () => {
    const closing = await product.createOrganization('closing')
    newPerson({ email: emailOf(await closing.createUser()) })
    const traveller = new Traveller(product)
    const begin = async (stopsAt: (url: string) => boolean) =>
      (await traveller.follow(traveller.urlOf(LOG_IN, 'closing'), stopsAt)).location ?? ''
    const [answer, handOver] = [await begin(isAnswer), await begin(isHandOver)]
    await closing.owner.call(endpoints.realm.deactivateRealm, {})

    for (const url of [answer, handOver, traveller.urlOf(LOG_IN, 'closing')])
      expect(await traveller.open(url)).toMatchObject({ status: 401, location: null })
    expect(traveller.hasCookie(traveller.urlOf('/', 'closing'), 'sessionid')).toBe(false)
  })

  test('waits for seconds on its way to the organization, and for minutes at the provider', async () => {
    newPerson({ email: emailOf(await sales.createUser()) })
    const redis = await openTestRedis(product.servers)
    const lives = async (kind: string): Promise<number[]> => {
      const keys = (await Promise.all(mastersOf(redis).map((node) => node.keys(`*:signon:${kind}:*`)))).flat()
      return Promise.all(keys.map((key) => redis.ttl(key)))
    }
    try {
      const traveller = new Traveller(product)
      await traveller.follow(traveller.urlOf(LOG_IN, 'sales'), isAnswer)
      await traveller.follow(traveller.urlOf(LOG_IN, 'sales'), isHandOver)
      const [flows, handOvers] = [await lives('flow'), await lives('hand-over')]
      expect([Math.min(...flows) > 0, Math.max(...flows) <= 600]).toEqual([true, true])
      expect([Math.min(...handOvers) > 0, Math.max(...handOvers) <= 15]).toEqual([true, true])
    } finally {
      redis.disconnect()
    }
  })

  test('says so if the person gave up, and at once if the provider is away', async () => {
    newPerson()
    idp.person = null
    await expectRefused(`${LOG_IN}?mobile_flow_otp=${PAD}`, 'You have not signed in there')
    const arrival = await travel(`${LOG_IN}/lost`, 'sales')
    expect(arrival.status).toBe(503)
    expect(arrival.text).toContain('OIDC does not answer; try again shortly')
  })

  test('cannot begin for an organization that lacks the provider, nor past its host', async () => {
    expect(await travel(`${LOG_IN}/staff`)).toMatchObject({ status: 404 })
    expect(await travel('/login/oidc/staff/?subdomain=')).toMatchObject({ status: 404 })
    expect(await travel('/login/oidc/?subdomain=nowhere')).toMatchObject({ status: 404 })
    expect(await travel('/login/oidc/?subdomain=sales')).toMatchObject({ status: 400 })
    expect(await travel('/login/oidc/?subdomain=', 'sales')).toMatchObject({ status: 404 })
  })
})

describe('the audit log says', () => {
  const seen = { method: 'oidc:oidc', address: TRAVELLER_ADDRESS }
  /** In each of these at most one refusal is about no account: of several in a minute some have no entry. */
  const newOrganization = async (name: string) => {
    const organization = await product.createOrganization(name)
    await organization.owner.call(updateRealm, { invite_required: false })
    return organization
  }
  const come = (name: string, query = '') => {
    const traveller = new Traveller(product)
    return traveller.follow(traveller.urlOf(`${LOG_IN}${query}`, name), (url) => url.endsWith('/account/'))
  }

  test('who signed in, to a session or the API key', async () => {
    const { owner, ...audited } = await newOrganization('audited')
    const [one, other] = [await audited.createUser(), await audited.createUser()]
    newPerson({ email: emailOf(one) })
    await come('audited')
    newPerson({ email: emailOf(other) })
    await come('audited', `?mobile_flow_otp=${PAD}`)

    await expectSignIn(owner, { ...seen, user: one, grants: 'session' })
    await expectSignIn(owner, { ...seen, user: other, grants: 'api_key' })
  })

  test('whose account was not opened: deactivated, of somebody else, off by then, or by another browser', async () => {
    const { owner, ...audited } = await newOrganization('refusing')
    const create = () => audited.createUser()
    const [left, taken, off, stolen] = [await create(), await create(), await create(), await create()]
    await owner.call(deactivateUser, { user_id: left.userId })
    newPerson({ email: emailOf(left) })
    await come('refusing')
    for (const _ of ['the user', 'somebody else']) {
      newPerson({ email: emailOf(taken) })
      await come('refusing')
    }
    const begin = async (user: ApiClient, traveller: Traveller) => {
      newPerson({ email: emailOf(user) })
      return (await traveller.follow(traveller.urlOf(LOG_IN, 'refusing'), isHandOver)).location ?? ''
    }
    const [own, other, thief] = [new Traveller(product), new Traveller(product), new Traveller(product)]
    await thief.open(await begin(stolen, other))
    const late = await begin(off, own)
    await owner.call(updateRealm, { authentication_methods: { Email: true, 'OpenID Connect': false } })
    await own.open(late)

    for (const [user, reason] of [
      [left, 'deactivated'],
      [taken, 'taken'],
      [off, 'method_off'],
      [stolen, 'other_browser'],
    ] as const)
      await expectRefusal(owner, { ...seen, user, reason })
  })

  test.each([
    ['the person has no account', 'none', 'nobody'],
    ['the address isn’t verified', 'unverified', 'unverified'],
    ['the person gave up', 'cancelled', 'idle'],
    ['the answer came by another browser', 'other_browser', 'stolen'],
    ['the answer can’t be verified', 'wrong', 'forged'],
    ['the method is off by then', 'method_off', 'closed'],
  ])('that a sign-in was refused because %s', async (_, reason, name) => {
    const { owner } = await newOrganization(name)
    newPerson(reason === 'unverified' ? { email_verified: false } : {})
    if (reason === 'cancelled') idp.person = null
    const traveller = new Traveller(product)
    const answer = (await traveller.follow(traveller.urlOf(LOG_IN, name), isAnswer)).location ?? ''
    if (reason === 'method_off')
      await owner.call(updateRealm, { authentication_methods: { Email: true, 'OpenID Connect': false } })
    const sent = reason === 'wrong' ? answer.replace(/code=[^&]*/, 'code=forged') : answer
    await (reason === 'other_browser' ? new Traveller(product) : traveller).open(sent)

    await expectRefusal(owner, { ...seen, user: null, reason })
  })
})

async function expectRefused(path: string, text = ''): Promise<void> {
  const arrival = await travel(path)
  expect(arrival.location).toBeNull()
  expect(arrival.status === 403 || arrival.text.includes('You have no account yet')).toBe(true)
  expect(arrival.text).toContain(text)
}

/** The own record of somebody with a key. */
const clientOf = ({ anonymous }: TestOrganization, email: string, apiKey: string) =>
  anonymous.as({ email, apiKey, userId: 0 }).call(getOwnUser, {})

function decrypted(hex: string): string {
  const bytes = Buffer.from(hex, 'hex')
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(PAD, 'hex'), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(-16))
  return `${decipher.update(bytes.subarray(12, -16), undefined, 'ascii')}${decipher.final('ascii')}`
}
