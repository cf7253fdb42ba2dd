import { endpoints, Role } from '@tms/contracts'
import { type ApiClient, startTestSystem, type TestOrganization, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectRefusal, expectSignIn, listEntries } from './support/audit-entries.ts'
import { environmentOf, runManageHere } from './support/run-manage.ts'
import {
  createKeyPair,
  findForm,
  followForms,
  followToForm,
  type Person,
  type ProviderForm,
  type SamlProvider,
  startSamlProvider,
} from './support/saml-provider.ts'
import { type Arrival, TRAVELLER_ADDRESS, Traveller } from './support/traveller.ts'

const { deactivateUser, getOwnUser, reactivateUser } = endpoints.users
const { getServerSettings, updateRealm } = endpoints.realm
const LOG_IN = '/accounts/login/social/saml/corp'
const STAFF = '/accounts/login/social/saml/staff'
const PAD = '0'.repeat(64)
const FORM = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'

/** Of everybody. */
let corp: SamlProvider
/** Of the organization `sales` alone. */
let staff: SamlProvider
let product: TestSystem
let sales: TestOrganization

beforeAll(async () => {
  const [own, theirs] = [createKeyPair(), createKeyPair()]
  corp = await startSamlProvider(theirs)
  staff = await startSamlProvider(theirs)
  const settingsOf = (provider: SamlProvider) => ({
    ...{ kind: 'saml', entity_id: provider.entityId, sso_url: provider.ssoUrl, slo_url: provider.sloUrl },
    ...{ certificates: [provider.certificate], allow_unencrypted: true },
    attributes: { email: 'mail', full_name: 'displayName' },
  })
  product = await startTestSystem({
    env: process.env,
    serviceEnv: {
      TRUST_PROXY: 'true',
      SIGN_ON: JSON.stringify({
        saml: { private_key: own.privateKey, certificate: own.certificate },
        providers: [
          { ...settingsOf(corp), name: 'corp', display_icon: 'https://img.example.com/corp.png' },
          {
            ...{ ...settingsOf(staff), name: 'staff', organizations: ['sales'], display_name: 'Staff' },
            ...{ auto_signup: true, roles: { attribute: 'groups', values: { chiefs: 'administrator' } } },
          },
        ],
      }),
    },
  })
  const entityId = `http://${product.system.externalHost}`
  const site = { entityId, answerUrl: `${entityId}/complete/saml/`, certificate: own.certificate }
  corp.trust(site)
  staff.trust(site)
  sales = await product.createOrganization('sales')
  await product.owner.call(updateRealm, { invite_required: false })
  await sales.owner.call(updateRealm, { invite_required: false })
}, 180_000)
afterAll(async () => {
  await product?.stop()
  corp?.stop()
  staff?.stop()
})
beforeEach(() => {
  for (const provider of [corp, staff]) {
    provider.protection = 'signed assertion'
    provider.participants.length = 0
  }
})

let made = 0
/** Somebody at a provider, who signs in there next. */
function newPerson(provider: SamlProvider, about: Partial<Person> = {}): { id: string; email: string } {
  const id = `person-${++made}`
  const email = about.email ?? `saml-${made}@example.com`
  provider.people.set(id, { email, name: `Person ${made}`, ...about })
  provider.person = id
  return { id, email }
}

const emailOf = ({ account }: ApiClient): string => account?.email ?? ''
const isApp = (arrival: Arrival) => arrival.location?.startsWith('zulip://login') ?? false
const travel = (path: string, subdomain = '', traveller = new Traveller(product)) =>
  followForms(traveller, traveller.urlOf(path, subdomain))

/** A user of an organization who signs in at the provider, in a new browser. */
async function signedIn(
  provider: SamlProvider,
  subdomain = '',
): Promise<{ user: ApiClient; traveller: Traveller }> {
  const user = await (subdomain === '' ? product : sales).createUser()
  newPerson(provider, { email: emailOf(user) })
  const traveller = new Traveller(product)
  await signIn(traveller, provider === corp ? LOG_IN : STAFF, subdomain)
  expect(await isSignedIn(traveller, subdomain)).toBe(true)
  return { user, traveller }
}
const signIn = (traveller: Traveller, path: string, subdomain = '') =>
  followForms(traveller, traveller.urlOf(path, subdomain), (url) => url.endsWith('/account/'))
const isSignedIn = async (traveller: Traveller, subdomain = '') =>
  (await traveller.open(traveller.urlOf('/account/', subdomain))).status === 200

describe('a client', () => {
  test('learns which providers the organization has', async () => {
    expect(await product.anonymous.call(getServerSettings, {})).toMatchObject({
      authentication_methods: { saml: true },
      external_authentication_methods: [
        {
          ...{ name: 'saml:corp', display_name: 'SAML', display_icon: 'https://img.example.com/corp.png' },
          ...{ login_url: LOG_IN, signup_url: LOG_IN.replace('login', 'register') },
        },
      ],
    })
    const { external_authentication_methods: methods } = await sales.anonymous.call(getServerSettings, {})
    expect(methods.map(({ name, display_name }) => [name, display_name])).toEqual([
      ['saml:corp', 'SAML'],
      ['saml:staff', 'Staff'],
    ])
  })

  test('signs in with the mobile app', async () => {
    const user = await product.createUser()
    newPerson(corp, { email: emailOf(user).toUpperCase() })
    const { location } = await travel(`${LOG_IN}?mobile_flow_otp=${PAD}`)
    const fields = new URL(location ?? '').searchParams
    expect(fields.get('user_id')).toBe(String(user.userId))
    // A pad of zeros leaves the key as it is.
    const key = Buffer.from(fields.get('otp_encrypted_api_key') ?? '', 'hex').toString()
    expect(key).toBe(user.account?.apiKey)
  })

  test.each(['signed assertion', 'signed answer', 'encrypted'] as const)(
    'signs in with a browser by a %s, and goes on where it wanted',
    async (protection) => {
      corp.protection = protection
      newPerson(corp, { email: emailOf(await sales.createUser()) })
      const traveller = new Traveller(product)
      const arrival = await followForms(
        traveller,
        traveller.urlOf(`${LOG_IN}?next=${encodeURIComponent('/some/page')}`, 'sales'),
        (url) => url.endsWith('/some/page'),
      )
      expect(arrival).toMatchObject({ status: 302, location: traveller.urlOf('/some/page', 'sales') })
      expect(await isSignedIn(traveller, 'sales')).toBe(true)
      expect(await isSignedIn(traveller)).toBe(false)
    },
  )

  test('signs in with a thousand groups, in an encrypted assertion', async () => {
    corp.protection = 'encrypted'
    const groups = Array.from({ length: 1_000 }, (_, index) => `CN=group-${index}`)
    newPerson(corp, { email: emailOf(await product.createUser()), groups })
    const traveller = new Traveller(product)
    await signIn(traveller, LOG_IN)
    expect(await isSignedIn(traveller)).toBe(true)
  })

  test('signs in with the desktop app', async () => {
    newPerson(corp, { email: emailOf(await product.createUser()) })
    const { status, text } = await travel(`${LOG_IN}?desktop_flow_otp=${PAD}`)
    expect(status).toBe(200)
    expect(text).toMatch(/value="[0-9a-f]{120}"/)
  })
})

describe('an account', () => {
  test('is made by a sign-up, or where the provider does so by a log-in, with its role', async () => {
    newPerson(corp)
    expect((await travel(LOG_IN)).text).toContain('You have no account yet')
    expect(isApp(await travel(`${LOG_IN.replace('login', 'register')}?mobile_flow_otp=${PAD}`))).toBe(true)

    const { email } = newPerson(staff, { name: 'Grace Hopper', groups: ['crew', 'chiefs'] })
    const { location } = await travel(`${STAFF}?mobile_flow_otp=${PAD}`, 'sales')
    const apiKey = Buffer.from(
      new URL(location ?? '').searchParams.get('otp_encrypted_api_key') ?? '',
      'hex',
    ).toString()
    const own = await sales.anonymous.as({ email, apiKey, userId: 0 }).call(getOwnUser, {})
    expect(own).toMatchObject({ full_name: 'Grace Hopper', role: Role.administrator })
  })

  test('stays with its person, and is not given to somebody else with the address', async () => {
    const { email } = newPerson(corp)
    const signUp = `${LOG_IN.replace('login', 'register')}?mobile_flow_otp=${PAD}`
    expect(isApp(await travel(signUp))).toBe(true)
    newPerson(corp, { email })
    const arrival = await travel(signUp)
    expect(arrival).toMatchObject({ status: 403, location: null })
    expect(arrival.text).toContain('belongs to somebody else there')
  })

  test('that is deactivated is not opened', async () => {
    const user = await product.createUser()
    newPerson(corp, { email: emailOf(user) })
    await product.owner.call(deactivateUser, { user_id: user.userId ?? 0 })
    const arrival = await travel(`${LOG_IN}?mobile_flow_otp=${PAD}`)
    expect(arrival).toMatchObject({ status: 403, location: null })
    expect(arrival.text).toContain('Your account is deactivated')
    await product.owner.call(reactivateUser, { user_id: user.userId ?? 0 })
    expect(isApp(await travel(`${LOG_IN}?mobile_flow_otp=${PAD}`))).toBe(true)
  })
})

describe('an answer', () => {
  const begin = (traveller: Traveller, path = LOG_IN, subdomain = '') =>
    followToForm(traveller, traveller.urlOf(path, subdomain))
  const send = (traveller: Traveller, { action, fields }: ProviderForm) => traveller.open(action, fields)

  test('counts in the browser that asked for it, once', async () => {
    newPerson(corp, { email: emailOf(await product.createUser()) })
    const [own, other] = [new Traveller(product), new Traveller(product)]
    await begin(other)
    const stolen = await begin(own)
    expect(await send(other, stolen)).toMatchObject({ status: 400, location: null })

    const answer = await begin(own)
    expect(await send(own, answer)).toMatchObject({ status: 302 })
    expect(await send(own, answer)).toMatchObject({ status: 400, location: null })
  })

  test('to another attempt of the same browser is refused', async () => {
    newPerson(corp, { email: emailOf(await product.createUser()) })
    const traveller = new Traveller(product)
    const [one, other] = [await begin(traveller), await begin(traveller)]
    other.fields.set('SAMLResponse', one.fields.get('SAMLResponse') ?? '')
    expect(await send(traveller, other)).toMatchObject({ status: 403, location: null })
  })

  test('of one provider is none of another', async () => {
    const user = await sales.createUser()
    newPerson(corp, { email: emailOf(user) })
    newPerson(staff, { email: emailOf(user) })
    const traveller = new Traveller(product)
    const [one, other] = [await begin(traveller, LOG_IN, 'sales'), await begin(traveller, STAFF, 'sales')]
    one.fields.set('SAMLResponse', other.fields.get('SAMLResponse') ?? '')
    expect(await send(traveller, one)).toMatchObject({ status: 403, location: null })
  })

  test.each<[string, (xml: string) => string, number]>([
    ['was changed', (xml) => xml.replace('person-', 'nobody-'), 403],
    ['has an entity', (xml) => `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${xml}`, 403],
    ['has a comment', (xml) => xml.replace('person-', 'person<!-- -->-'), 403],
    ['is large', (xml) => `${xml}${' '.repeat(400_000)}`, 400],
    ['is larger than requests may be', (xml) => `${xml}${' '.repeat(1_500_000)}`, 413],
  ])('that %s is refused', async (_, change, status) => {
    newPerson(corp, { email: emailOf(await product.createUser()) })
    const traveller = new Traveller(product)
    const answer = await begin(traveller)
    const xml = Buffer.from(answer.fields.get('SAMLResponse') ?? '', 'base64').toString()
    answer.fields.set('SAMLResponse', Buffer.from(change(xml)).toString('base64'))
    const arrival = await send(traveller, answer)
    expect(arrival).toMatchObject({ status, location: null })
    expect(arrival.text).not.toContain('root:')
  })

  test('says so if the person gave up', async () => {
    corp.person = null
    const arrival = await travel(LOG_IN)
    expect(arrival).toMatchObject({ status: 403, location: null })
    expect(arrival.text).toContain('You have not signed in there')
  })

  test('leads to no organization that lacks the provider, or has it off', async () => {
    expect(await travel(STAFF)).toMatchObject({ status: 404 })
    expect(await travel('/accounts/login/social/saml')).toMatchObject({ status: 404 })
    newPerson(corp, { email: emailOf(await sales.createUser()) })
    const traveller = new Traveller(product)
    const answer = await begin(traveller, LOG_IN, 'sales')
    await sales.owner.call(updateRealm, { authentication_methods: { Email: true, SAML: false } })
    expect(await send(traveller, answer)).toMatchObject({ status: 403, location: null })
    expect(await travel(LOG_IN, 'sales')).toMatchObject({ status: 404 })
    await sales.owner.call(updateRealm, { authentication_methods: { Email: true, SAML: true } })
  })

  test.each(['https://evil.example', '//evil.example', '/\\evil.example'])(
    'leads nobody to %s',
    async (next) => {
      newPerson(corp, { email: emailOf(await product.createUser()) })
      const traveller = new Traveller(product)
      const { location } = await signIn(traveller, `${LOG_IN}?next=${encodeURIComponent(next)}`)
      expect(location).toBe(traveller.urlOf('/account/'))
    },
  )
})

describe('a sign-in that begins at the provider', () => {
  const beginThere = (provider: SamlProvider, relayState: string) =>
    followToForm(new Traveller(product), provider.beginUrl(relayState))

  test.each(['', 'https://evil.example', '{"subdomain":1}', '[]'])(
    'leads to the default organization with the state "%s"',
    async (state) => {
      newPerson(corp, { email: emailOf(await product.createUser()) })
      const traveller = new Traveller(product)
      const arrival = await followForms(traveller, corp.beginUrl(state), (url) => url.endsWith('/account/'))
      expect(arrival.location).toBe(traveller.urlOf('/account/'))
      expect(await isSignedIn(traveller)).toBe(true)
    },
  )

  test('leads to the organization that the state names, or the only one of the provider', async () => {
    const user = await sales.createUser()
    newPerson(corp, { email: emailOf(user) })
    newPerson(staff, { email: emailOf(user) })
    for (const url of [corp.beginUrl('{"subdomain":"sales"}'), staff.beginUrl('')]) {
      const traveller = new Traveller(product)
      await followForms(traveller, url, (one) => one.endsWith('/account/'))
      expect(await isSignedIn(traveller, 'sales')).toBe(true)
    }
  })

  test('signs nobody in to an account of somebody else, who sends them an answer', async () => {
    newPerson(corp, { email: emailOf(await product.createUser()) })
    const attack = await beginThere(corp, '')
    const user = await product.createUser()
    newPerson(corp, { email: emailOf(user) })

    // The visitor has a session at the provider, as most have.
    const visitor = new Traveller(product)
    const { location } = await visitor.open(attack.action, attack.fields)
    expect(location).toBe(visitor.urlOf(LOG_IN))
    const { text } = await followForms(visitor, location ?? '')
    expect(text).toContain(emailOf(user))
  })

  test('is refused with an answer to a request, or one that was used', async () => {
    newPerson(corp, { email: emailOf(await product.createUser()) })
    const traveller = new Traveller(product)
    const asked = await followToForm(traveller, traveller.urlOf(LOG_IN))
    asked.fields.set('RelayState', '')
    expect(await traveller.open(asked.action, asked.fields)).toMatchObject({ status: 403, location: null })

    const unasked = await beginThere(corp, '')
    expect(await traveller.open(unasked.action, unasked.fields)).toMatchObject({ status: 302 })
    expect(await traveller.open(unasked.action, unasked.fields)).toMatchObject({
      status: 403,
      location: null,
    })
  })

  test('is refused at an organization of another provider, or at none', async () => {
    newPerson(staff, { email: emailOf(await product.createUser()) })
    const traveller = new Traveller(product)
    for (const [state, status] of [
      ['{"subdomain":""}', 403],
      ['{"subdomain":"nowhere"}', 404],
    ] as const) {
      const { action, fields } = await beginThere(staff, state)
      expect(await traveller.open(action, fields)).toMatchObject({ status, location: null })
    }
    const empty = new URLSearchParams({ SAMLResponse: '' })
    expect(await traveller.open(traveller.installationUrlOf('/complete/saml/'), empty)).toMatchObject({
      status: 403,
    })
  })
})

describe('the audit log says', () => {
  const seen = { method: 'saml:corp', address: TRAVELLER_ADDRESS }
  const come = (path: string, name: string) => {
    const traveller = new Traveller(product)
    return followForms(traveller, traveller.urlOf(path, name), (url) => url.endsWith('/account/'))
  }

  test('who signed in to a session or the API key, and whose account was not opened', async () => {
    const { owner, ...audited } = await product.createOrganization('audited')
    const create = () => audited.createUser()
    const [one, other, left, taken] = [await create(), await create(), await create(), await create()]
    newPerson(corp, { email: emailOf(one) })
    await come(LOG_IN, 'audited')
    newPerson(corp, { email: emailOf(other) })
    await come(`${LOG_IN}?mobile_flow_otp=${PAD}`, 'audited')
    await owner.call(deactivateUser, { user_id: left.userId })
    newPerson(corp, { email: emailOf(left) })
    await come(LOG_IN, 'audited')
    for (const _ of ['the user', 'somebody else']) {
      newPerson(corp, { email: emailOf(taken) })
      await come(LOG_IN, 'audited')
    }

    await expectSignIn(owner, { ...seen, user: one, grants: 'session' })
    await expectSignIn(owner, { ...seen, user: other, grants: 'api_key' })
    await expectRefusal(owner, { ...seen, user: left, reason: 'deactivated' })
    await expectRefusal(owner, { ...seen, user: taken, reason: 'taken' })
  })

  test.each([
    ['was changed', 'wrong', 'forged'],
    ['came by another browser', 'other_browser', 'stolen'],
    ['nobody asked for was changed', 'wrong', 'unasked'],
  ])('that an answer was refused that %s', async (_, reason, name) => {
    const { owner } = await product.createOrganization(name)
    newPerson(corp)
    const traveller = new Traveller(product)
    const { action, fields } =
      name === 'unasked'
        ? await followToForm(new Traveller(product), corp.beginUrl(JSON.stringify({ subdomain: name })))
        : await followToForm(traveller, traveller.urlOf(LOG_IN, name))
    if (reason === 'wrong') {
      const xml = Buffer.from(fields.get('SAMLResponse') ?? '', 'base64').toString()
      fields.set('SAMLResponse', Buffer.from(xml.replace('person-', 'nobody-')).toString('base64'))
    }
    await (reason === 'other_browser' ? new Traveller(product) : traveller).open(action, fields)

    await expectRefusal(owner, { ...seen, user: null, reason })
  })

  test('nothing of a provider that the organization does not have', async () => {
    const { owner } = await product.createOrganization('bystander')
    const state = JSON.stringify({ subdomain: 'bystander' })
    newPerson(staff)
    const foreign = await followToForm(new Traveller(product), staff.beginUrl(state))
    expect(await new Traveller(product).open(foreign.action, foreign.fields)).toMatchObject({ status: 403 })
    newPerson(corp)
    const own = await followToForm(new Traveller(product), corp.beginUrl(state))
    await new Traveller(product).open(own.action, own.fields)
    await new Traveller(product).open(own.action, own.fields)

    await expectRefusal(owner, { ...seen, user: null, reason: 'wrong' })
    const entries = await listEntries(owner, { actions: ['sign_in_refused'] })
    expect(entries.map(({ details }) => details?.['method'])).not.toContain('saml:staff')
  })
})

describe('a log-out', () => {
  /** The form of the account page. */
  async function logOut(traveller: Traveller): Promise<Arrival> {
    const { text } = await traveller.open(traveller.urlOf('/account/'))
    const token = /name="csrfmiddlewaretoken" value="([^"]*)"/.exec(text)?.[1] ?? ''
    return traveller.open(
      traveller.urlOf('/accounts/logout/'),
      new URLSearchParams({ csrfmiddlewaretoken: token }),
    )
  }
  const refreshOf = ({ text }: Arrival) =>
    (/http-equiv="refresh" content="0; url=([^"]*)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&')

  test('here goes on at the provider, and comes back', async () => {
    const { traveller } = await signedIn(corp)
    expect(corp.participants).toHaveLength(1)

    const page = await logOut(traveller)

    expect(page.status).toBe(200)
    expect(await isSignedIn(traveller)).toBe(false)
    const back = await traveller.follow(refreshOf(page), (url) => url.endsWith('/accounts/login/'))
    expect(back.location).toBe(traveller.urlOf('/accounts/login/'))
    expect(corp.participants).toEqual([])
  })

  test('at the provider ends the sessions of that person here, and of nobody else', async () => {
    const one = await signedIn(corp)
    const bystander = await signedIn(corp)
    corp.participants.pop()
    const [ended] = corp.participants
    expect(ended).toBeDefined()

    // Another browser of the provider brings the request: cookies don't matter.
    const arrival = await new Traveller(product).follow(corp.endUrl)

    expect(arrival.url).toContain('/slo?SAMLResponse=')
    expect(corp.participants).toEqual([])
    expect(await isSignedIn(one.traveller)).toBe(false)
    expect(await isSignedIn(bystander.traveller)).toBe(true)
    const own = await one.user.call(getOwnUser, {})
    expect(own.user_id).toBe(one.user.userId)
  })

  test('at the provider may come as a form, which is refused changed or twice', async () => {
    const { traveller } = await signedIn(corp)
    const [session] = corp.participants.splice(0)
    corp.participants.push({ ...(session as (typeof corp.participants)[0]), binding: FORM })
    const page = await new Traveller(product).open(corp.endUrl)
    const { action, fields } = findForm(page) ?? { action: '', fields: new URLSearchParams() }
    expect(action).toBe(traveller.installationUrlOf('/complete/saml/'))
    const changed = new URLSearchParams(fields)
    const xml = Buffer.from(fields.get('SAMLRequest') ?? '', 'base64').toString()
    changed.set('SAMLRequest', Buffer.from(xml.replace('>person-', '>Person-')).toString('base64'))

    expect(await traveller.open(action, changed)).toMatchObject({ status: 403, location: null })
    expect(await isSignedIn(traveller)).toBe(true)
    const answer = await new Traveller(product).open(action, fields)
    expect(answer.location).toContain('/slo?SAMLResponse=')
    expect(await isSignedIn(traveller)).toBe(false)
    expect(await traveller.open(action, fields)).toMatchObject({ status: 403, location: null })
    await traveller.follow(answer.location ?? '')
    expect(corp.participants).toEqual([])
  })

  test('at the provider ends one of two sessions of a person, by its name', async () => {
    const { traveller: first } = await signedIn(corp)
    const second = new Traveller(product)
    await signIn(second, LOG_IN)
    corp.participants.pop()

    await new Traveller(product).follow(corp.endUrl)

    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true])
  })

  test('at the provider is refused unsigned, changed or twice, and ends nothing then', async () => {
    const { traveller } = await signedIn(corp)
    const request =
      (await traveller.follow(corp.endUrl, (url) => url.includes('SAMLRequest='))).location ?? ''
    const url = new URL(request)
    const unsigned = new URL(url)
    unsigned.searchParams.delete('Signature')
    const changed = new URL(url)
    changed.searchParams.set('RelayState', 'x')
    for (const { href } of [unsigned, changed])
      expect(await traveller.open(href)).toMatchObject({ status: 403, location: null })
    expect(await isSignedIn(traveller)).toBe(true)

    expect(await traveller.open(request)).toMatchObject({ status: 302 })
    expect(await isSignedIn(traveller)).toBe(false)
    expect(await traveller.open(request)).toMatchObject({ status: 403, location: null })
  })

  test('that a provider answers leads to a log-in page, whatever the answer is', async () => {
    const traveller = new Traveller(product)
    const url = (state: string) =>
      traveller.installationUrlOf(`/complete/saml/?SAMLResponse=x&RelayState=${encodeURIComponent(state)}`)
    expect((await traveller.open(url('{"subdomain":"sales"}'))).location).toBe(
      traveller.urlOf('/accounts/login/', 'sales'),
    )
    expect((await traveller.open(url('https://evil.example'))).location).toBe(
      traveller.urlOf('/accounts/login/'),
    )
  })
})

test('an operator sees what the settings of a provider amount to, and whether somebody has an account', async () => {
  const email = emailOf(await product.createUser())
  const env = environmentOf(product)
  const found = await runManageHere(env, ['check-sign-on', 'saml:corp', '--as', email])
  expect(found).toMatchObject({ code: 0, stderr: '' })
  for (const text of [
    `✓ metadata: the provider is ${corp.entityId}, people sign in at ${corp.ssoUrl}`,
    '– certificate: CN=test, until',
    `– at the provider: entity ID http://${product.system.externalHost}, answers to`,
    `✓ account: ${email} is user`,
  ])
    expect(found.stdout).toContain(text)
  const foreign = await runManageHere(env, ['check-sign-on', 'staff'])
  expect(foreign.code).toBe(1)
  expect(foreign.stdout).toContain('✗ organization:')
})

test('a provider reads who the installation is', async () => {
  const traveller = new Traveller(product)
  const { status, text } = await traveller.open(traveller.installationUrlOf('/saml/metadata.xml'))
  expect(status).toBe(200)
  expect(text).toContain(`entityID="http://${product.system.externalHost}"`)
  expect(text).toContain(`Location="http://${product.system.externalHost}/complete/saml/" index="0"`)
  expect(findForm({ text })).toBeNull()
})
