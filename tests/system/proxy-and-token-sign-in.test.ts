import { createDecipheriv, generateKeyPairSync, randomBytes } from 'node:crypto'
import { request as send } from 'node:http'
import { endpoints } from '@tms/contracts'
import { type ApiClient, startTestSystem, type TestOrganization, type TestSystem } from '@tms/test-kit'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal, expectSignIn } from './support/audit-entries.ts'
import { openBrowser } from './support/browser.ts'

const { createBot, deactivateUser, fetchApiKeyByToken, listUsers } = endpoints.users
const { getServerSettings, updateRealm } = endpoints.realm
/** The one address that the gateway takes for the proxy's. */
const PROXY = '127.0.0.2'
const START = '/accounts/login/start/sso/'
const SSO = '/accounts/login/sso/'
const TOKEN = '/accounts/login/jwt/'
const PAD = '00112233445566778899aabbccddeeff0123456789abcdeffedcba9876543210'
const DESKTOP = 'ZulipElectron/5.11.0'
const SECRET = 'a secret that the site and the chat share'
const AUDITED_SECRET = 'another secret, of the organization audited'
const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 })

let product: TestSystem
/** Its site signs tokens with the private half of a key. */
let sales: TestOrganization
/** Has neither. */
let support: TestOrganization

beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    serviceEnv: {
      ...{ TRUST_PROXY: 'true', REMOTE_USER_HEADER: 'X-Forwarded-User', REMOTE_USER_PROXIES: PROXY },
      SIGN_ON: JSON.stringify({
        remote_user: {
          organizations: ['', 'sales', 'audited', 'unnamed', 'off'],
          append_domain: 'example.com',
          display_name: 'Staff',
        },
        providers: [
          {
            kind: 'oidc',
            issuer: 'https://id.invalid',
            client_id: 'chat',
            client_secret: 'a secret of the chat',
          },
        ],
        jwt: [
          { organization: '', algorithm: 'HS256', key: SECRET },
          {
            ...{ organization: 'sales', algorithm: 'RS256' },
            key: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
          },
          { organization: 'audited', algorithm: 'HS256', key: AUDITED_SECRET },
        ],
      }),
    },
  })
  sales = await product.createOrganization('sales')
  support = await product.createOrganization('support')
  for (const { owner } of [product, sales]) await owner.call(updateRealm, { invite_required: false })
}, 180_000)
afterAll(() => product?.stop(), 60_000)

interface Visit {
  /** Names and values in turn. */
  readonly headers?: readonly string[]
  readonly from?: string
  readonly subdomain?: string
  readonly form?: Readonly<Record<string, string>>
}

interface Visited {
  readonly status: number
  readonly location: string
  readonly cookies: readonly string[]
  readonly text: string
}

/** Opens one page, from the proxy's address or another one of this machine. */
function visit(
  path: string,
  { headers = [], from = PROXY, subdomain = '', form }: Visit = {},
): Promise<Visited> {
  const { externalHost } = product.system
  const { hostname, port, host } = new URL(product.baseUrl)
  const body = form && new URLSearchParams(form).toString()
  const all = [
    ...['Host', host, 'X-Forwarded-Host', subdomain === '' ? host : `${subdomain}.${externalHost}`],
    ...(body === undefined
      ? []
      : ['Content-Type', 'application/x-www-form-urlencoded', 'Content-Length', String(body.length)]),
    ...headers,
  ]
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST'
    const sent = send({ hostname, port, path, method, headers: all, localAddress: from }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.once('error', reject)
      answer.once('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          location: answer.headers.location ?? '',
          cookies: answer.headers['set-cookie'] ?? [],
          text: Buffer.concat(chunks).toString(),
        }),
      )
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

const named = (user: string, more: readonly string[] = []): Visit => ({
  headers: ['X-Forwarded-User', user, ...more],
})
const emailOf = ({ account }: ApiClient): string => account?.email ?? ''
const sessionIn = ({ cookies }: Visited): string =>
  cookies.find((cookie) => /^sessionid=\d/.test(cookie))?.split(';')[0] ?? ''
/** Whose account page a browser sees that has got a session. */
const accountOf = async (visited: Visited, subdomain = ''): Promise<string> => {
  const page = await visit('/account/', {
    headers: ['Cookie', sessionIn(visited)],
    from: '127.0.0.1',
    subdomain,
  })
  return page.status === 200 ? page.text : `status ${page.status}`
}
/** Nobody is signed in: no session, no key, no app. */
const expectRefused = (visited: Visited, ...texts: string[]) => {
  expect(sessionIn(visited)).toBe('')
  expect(visited.location).not.toMatch(/^zulip:|^\/account|\/accounts\/login\/subdomain/)
  expect(visited.status).toBeGreaterThanOrEqual(400)
  for (const text of texts) expect(visited.text).toContain(text)
}

let made = 0
const newName = () => `person-${++made}`

describe('a proxy that signs users in', () => {
  test('is offered where the organization has it, before other sites', async () => {
    const { external_authentication_methods: methods, authentication_methods: flags } =
      await product.anonymous.call(getServerSettings, {})
    expect(flags['remoteuser']).toBe(true)
    expect(methods[0]).toEqual({
      ...{ name: 'remoteuser', display_name: 'Staff', display_icon: null },
      ...{ login_url: START, signup_url: START },
    })
    const page = await visit('/login/', { from: '127.0.0.1' })
    expect(page.text).toContain(`<a class="button quiet" href="${START}">Log in with Staff</a>`)
    const other = await support.anonymous.call(getServerSettings, {})
    expect(other.external_authentication_methods.map(({ name }) => name)).toEqual(['oidc:oidc'])
    expectRefused(await visit(SSO, { ...named('ada'), subdomain: 'support' }))
    expectRefused(await visit(START, { subdomain: 'support' }))
  })

  test('is reached with all that the sign-in began with', async () => {
    const query = `?next=%2Faccount%2F&mobile_flow_otp=${PAD}`
    expect(await visit(START + query)).toMatchObject({ status: 302, location: SSO + query })
    expect(await visit(START)).toMatchObject({ status: 302, location: SSO })
  })

  test('signs an existing user in, by address or by user name', async () => {
    const user = await product.createUser('Ada')
    const [name = ''] = emailOf(user).split('@')
    for (const text of [emailOf(user), emailOf(user).toUpperCase(), name]) {
      const visited = await visit(SSO, named(text))
      expect(visited).toMatchObject({ status: 302, location: '/account/' })
      expect(await accountOf(visited)).toContain(emailOf(user))
    }
  })

  test('makes an account, where the organization’s rules allow it', async () => {
    const name = newName()
    expect(await accountOf(await visit(SSO, named(name)))).toContain(`${name}@example.com`)
    await product.owner.call(updateRealm, { invite_required: true })
    const other = newName()
    expectRefused(await visit(SSO, named(other)), 'You need an invitation')
    await product.owner.call(updateRealm, { invite_required: false })
    const { members } = await product.owner.call(listUsers, {})
    const addresses = members.map(({ delivery_email: address }) => address)
    expect(addresses.filter((address) => address === `${name}@example.com`)).toHaveLength(1)
    expect(addresses).not.toContain(`${other}@example.com`)
  })

  test('makes one account of several requests at once, each of which gets a session', async () => {
    for (let turn = 0; turn < 10; turn++) {
      const name = newName()
      const visits = await Promise.all(Array.from({ length: 4 }, () => visit(SSO, named(name))))
      for (const visited of visits) expect(await accountOf(visited)).toContain(`${name}@example.com`)
    }
  })

  test.each([
    ['a header of the world', { ...named('ada'), from: '127.0.0.1' }],
    ['a header of the world in other case', { headers: ['x-FORWARDED-user', 'ada'], from: '127.0.0.1' }],
    ['a header with underscores', { headers: ['X_Forwarded_User', 'ada', 'x_remote_user', 'ada'] }],
    ['the header between services, of the world', { headers: ['X-Remote-User', 'ada'], from: '127.0.0.1' }],
    ['the header between services, by the proxy', { headers: ['X-Remote-User', 'ada'] }],
    ['two headers', named('ada', ['X-Forwarded-User', 'boss'])],
    ['two headers of different names', { headers: ['X-Forwarded-User', '', 'X-Remote-User', 'ada'] }],
    ['an empty header', named('')],
    ['no header', {}],
    ['a claimed address of the proxy', { ...named('ada', ['X-Forwarded-For', PROXY]), from: '127.0.0.1' }],
    ['a user of another domain', named('ada@elsewhere.com')],
    ['two users', named('ada, boss')],
  ] as [string, Visit][])('doesn’t sign in by %s', async (_, options) => {
    expectRefused(await visit(SSO, options))
  })

  test('signs in at no other page, and not to the API', async () => {
    const name = emailOf(product.owner)
    expect(await visit('/account/', named(name))).toMatchObject({ status: 302 })
    for (const path of ['/api/v1/users/me', '/api/v1/users'])
      expect(await visit(path, named(name, ['X-Remote-User', name]))).toMatchObject({ status: 401 })
    expect(sessionIn(await visit('/login/', named(name)))).toBe('')
  })

  test('doesn’t sign in a bot, or a deactivated user', async () => {
    const bot = await product.owner.call(createBot, { full_name: 'A bot', short_name: newName() })
    const { members } = await product.owner.call(listUsers, {})
    const address = members.find(({ user_id: id }) => id === bot.user_id)?.email ?? ''
    expectRefused(await visit(SSO, named(address)))
    const user = await product.createUser()
    await product.owner.call(deactivateUser, { user_id: user.userId ?? 0 })
    for (const query of ['', `?mobile_flow_otp=${PAD}`, `?desktop_flow_otp=${PAD}`])
      expectRefused(await visit(SSO + query, named(emailOf(user))), 'Your account is deactivated')
  })

  test('signs in to the organization at whose host it does, and to no other', async () => {
    const user = await product.createUser()
    const visited = await visit(SSO, { ...named(emailOf(user)), subdomain: 'sales' })
    expect(await accountOf(visited, 'sales')).toContain(emailOf(user))
    expect(await accountOf(visited)).toBe('status 302')
  })

  test('leads to `next` at the same host, and nowhere else', async () => {
    const user = named(emailOf(await product.createUser()))
    const next = (text: string) => visit(`${SSO}?next=${encodeURIComponent(text)}`, user)
    expect(await next('/account/?x=1')).toMatchObject({ location: '/account/?x=1' })
    for (const evil of [
      ...['https://evil.example', '//evil.example', '/\\evil.example', '\\\\evil.example'],
      ...['javascript:alert(1)', '/\t/evil.example', '\n//evil.example', 'https:evil.example', ''],
    ])
      expect(await next(evil)).toMatchObject({ location: '/account/' })
  })

  test('gives the mobile app its key, and no session', async () => {
    const user = await product.createUser()
    const visited = await visit(`${SSO}?mobile_flow_otp=${PAD}`, named(emailOf(user)))
    const url = new URL(visited.location)
    const encrypted = Buffer.from(url.searchParams.get('otp_encrypted_api_key') ?? '', 'hex')
    const pad = Buffer.from(PAD, 'hex')
    expect(Buffer.from(encrypted.map((byte, at) => byte ^ (pad[at] ?? 0))).toString()).toBe(
      user.account?.apiKey,
    )
    expect(visited).toMatchObject({ status: 302, text: '', cookies: [] })
  })

  test('gives the desktop app its token, which counts once, as long as the method is on', async () => {
    const user = await product.createUser()
    const open = (token: string) =>
      visit(`/accounts/login/subdomain/${token}`, { headers: ['User-Agent', DESKTOP], from: '127.0.0.1' })
    const token = await desktopToken(PAD, emailOf(user))
    expect(await accountOf(await open(token))).toContain(emailOf(user))
    expectRefused(await open(token))
    const late = await desktopToken(PAD, emailOf(user))
    await switchOn(false)
    const refused = await open(late)
    await switchOn(true)
    expectRefused(refused, 'switched this way of signing in off')
  })

  test.each([
    ['both apps', `mobile_flow_otp=${PAD}&desktop_flow_otp=${PAD}`],
    ['a short pad', `mobile_flow_otp=${PAD.slice(2)}`],
    ['a pad of other characters', `desktop_flow_otp=${PAD.replace('0', 'g')}`],
    ['an empty pad', 'mobile_flow_otp='],
  ])('refuses %s', async (_, query) => {
    for (const path of [START, SSO]) expectRefused(await visit(`${path}?${query}`, named('ada')))
  })

  test('lets nobody in while the organization has it off', async () => {
    await switchOn(false)
    const { external_authentication_methods: methods } = await product.anonymous.call(getServerSettings, {})
    const visited = await visit(SSO, named('ada'))
    await switchOn(true)
    expect(methods.map(({ name }) => name)).not.toContain('remoteuser')
    expectRefused(visited, 'switched this way of signing in off')
  })

  const switchOn = (isOn: boolean) =>
    product.owner.call(updateRealm, { authentication_methods: { Email: true, RemoteUser: isOn } })
})

/** What the desktop app reads from the page at which the browser has signed in. */
async function desktopToken(key: string, user: string): Promise<string> {
  const { text } = await visit(`${SSO}?desktop_flow_otp=${key}`, named(user))
  const data = Buffer.from(desktopDataIn(text), 'hex')
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'hex'), data.subarray(0, 12))
  decipher.setAuthTag(data.subarray(-16))
  return decipher.update(data.subarray(12, -16), undefined, 'ascii') + decipher.final('ascii')
}

const desktopDataIn = (text: string): string => /value="([0-9a-f]{120})"/.exec(text)?.[1] ?? ''

describe('a token of the organization’s own site', () => {
  const soon = () => Math.floor(Date.now() / 1_000) + 60
  const tokenFor = (email: unknown, more: object = {}) =>
    new SignJWT({ email, exp: soon(), jti: randomBytes(9).toString('hex'), ...more })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(SECRET))
  const salesTokenFor = (email: string) =>
    new SignJWT({ email, exp: soon() }).setProtectedHeader({ alg: 'RS256' }).sign(pair.privateKey)
  const post = (token: string, subdomain = '') =>
    visit(TOKEN, { form: { token }, from: '127.0.0.1', subdomain })

  test('signs a user in, and makes an account by the organization’s rules', async () => {
    const email = `${newName()}@example.com`
    const visited = await post(await tokenFor(email, { name: 'Tess Token' }))
    expect(visited).toMatchObject({ status: 302, location: '/account/' })
    expect(await accountOf(visited)).toContain('Tess Token')
    expect(await accountOf(await post(await salesTokenFor(email), 'sales'), 'sales')).toContain(email)
    await product.owner.call(updateRealm, { invite_required: true })
    expectRefused(await post(await tokenFor(`${newName()}@example.com`)), 'You need an invitation')
    await product.owner.call(updateRealm, { invite_required: false })
  })

  test('counts once, whichever way, also of two requests at once', async () => {
    const email = emailOf(await product.createUser())
    const token = await tokenFor(email)
    const visits = await Promise.all([post(token), post(token), post(token)])
    expect(visits.filter((visited) => sessionIn(visited) !== '')).toHaveLength(1)
    expectRefused(await post(token), 'used already')
    await expect(product.anonymous.call(fetchApiKeyByToken, { token })).rejects.toThrow('used already')
    const unnamed = await tokenFor(email, { jti: undefined })
    await product.anonymous.call(fetchApiKeyByToken, { token: unnamed })
    expectRefused(await post(unnamed), 'used already')
  })

  test('is not one of another organization', async () => {
    const email = emailOf(await product.createUser())
    expectRefused(await post(await tokenFor(email), 'sales'), 'is wrong')
    expectRefused(await post(await salesTokenFor(email)), 'is wrong')
    expectRefused(await post(await tokenFor(email), 'support'), 'takes no tokens')
    expectRefused(await post(await tokenFor(email), 'nowhere'))
  })

  test('is refused unsigned, expired, missing, or without an address', async () => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const email = emailOf(product.owner)
    expectRefused(await post(`${encode({ alg: 'none' })}.${encode({ email, exp: soon() })}.`), 'is wrong')
    expectRefused(await post(await tokenFor(email, { exp: soon() - 180 })), 'is wrong')
    expectRefused(await post(await tokenFor([email])), 'is wrong')
    expectRefused(await post(''), 'is missing')
    expectRefused(await visit(TOKEN, { form: {}, from: '127.0.0.1' }), 'is missing')
    expect((await visit(`${TOKEN}?token=${await tokenFor(email)}`)).status).toBe(405)
  })

  test('doesn’t sign in a bot, or a deactivated user', async () => {
    const bot = await product.owner.call(createBot, { full_name: 'Another bot', short_name: newName() })
    const { members } = await product.owner.call(listUsers, {})
    const address = members.find(({ user_id: id }) => id === bot.user_id)?.email ?? ''
    expectRefused(await post(await tokenFor(address)))
    const user = await product.createUser()
    await product.owner.call(deactivateUser, { user_id: user.userId ?? 0 })
    expectRefused(await post(await tokenFor(emailOf(user))), 'Your account is deactivated')
    for (const [email, code] of [
      [address, 'AUTHENTICATION_FAILED'],
      [emailOf(user), 'USER_DEACTIVATED'],
      [`${newName()}@example.com`, 'AUTHENTICATION_FAILED'],
    ] as const)
      await expect(
        product.anonymous.call(fetchApiKeyByToken, { token: await tokenFor(email) }),
      ).rejects.toThrow(code)
  })

  test('gets the API key, and the user’s own record if that is asked for', async () => {
    const user = await product.createUser('Grace')
    const email = emailOf(user)
    expect(await product.anonymous.call(fetchApiKeyByToken, { token: await tokenFor(email) })).toEqual({
      ...{ result: 'success', msg: '', api_key: user.account?.apiKey, email },
    })
    const { user: own } = await product.anonymous.call(fetchApiKeyByToken, {
      ...{ token: await tokenFor(email), include_profile: true },
    })
    expect(own).toMatchObject({ user_id: user.userId, full_name: 'Grace', delivery_email: email })
    expect(own).not.toHaveProperty('profile_data')
  })
})

describe('the audit log says', () => {
  const person = '203.0.113.4'
  const tokenFor = (email: string) =>
    new SignJWT({ email, exp: Math.floor(Date.now() / 1_000) + 60, jti: randomBytes(9).toString('hex') })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(AUDITED_SECRET))
  const post = (token: string) =>
    visit(TOKEN, {
      ...{ form: { token }, from: '127.0.0.1', subdomain: 'audited' },
      headers: ['X-Forwarded-For', person],
    })
  const byProxy = (user: string, subdomain = 'audited', query = '') =>
    visit(`${SSO}${query}`, { ...named(user, ['X-Forwarded-For', person]), subdomain })

  test('who signed in by the proxy and by a token, to a session or the API key, and who could not', async () => {
    const { owner, anonymous, ...audited } = await product.createOrganization('audited')
    const create = () => audited.createUser()
    const [one, other, left] = [await create(), await create(), await create()]
    await owner.call(deactivateUser, { user_id: left.userId })

    const proxy = { method: 'remoteuser', address: person }
    await byProxy(emailOf(one))
    await expectSignIn(owner, { ...proxy, user: one, grants: 'session' })
    await byProxy(emailOf(other), 'audited', `?mobile_flow_otp=${PAD}`)
    await expectSignIn(owner, { ...proxy, user: other, grants: 'api_key' })
    await byProxy(emailOf(left))
    await expectRefusal(owner, { ...proxy, user: left, reason: 'deactivated' })

    const token = { method: 'jwt', address: person }
    await post(await tokenFor(emailOf(one)))
    await expectSignIn(owner, { ...token, user: one, grants: 'session' })
    await anonymous.call(fetchApiKeyByToken, { token: await tokenFor(emailOf(other)) })
    await expectSignIn(owner, { method: 'jwt', address: '127.0.0.1', user: other, grants: 'api_key' })
    await expect(
      anonymous.call(fetchApiKeyByToken, { token: await tokenFor(emailOf(left)) }),
    ).rejects.toThrow('USER_DEACTIVATED')
    await expectRefusal(owner, {
      ...{ method: 'jwt', address: '127.0.0.1', user: left, reason: 'USER_DEACTIVATED' },
    })
    await post('forged')
    await expectRefusal(owner, { ...token, user: null, reason: 'BAD_REQUEST' })
  })

  test.each([
    ['the proxy names nobody', '', 'no_user', 'unnamed'],
    ['the method is off', 'ada', 'method_off', 'off'],
  ])('that a sign-in was refused because %s', async (_, user, reason, subdomain) => {
    const { owner } = await product.createOrganization(subdomain)
    if (reason === 'method_off')
      await owner.call(updateRealm, { authentication_methods: { Email: true, RemoteUser: false } })
    await byProxy(user, subdomain)
    await expectRefusal(owner, { method: 'remoteuser', address: person, user: null, reason })
  })
})

describe('the way to an organization', () => {
  const go = (form: Record<string, string>) => visit('/accounts/go/', { form, from: '127.0.0.1' })

  test('asks for its name, and leads to its log-in page with what is next', async () => {
    const page = await visit('/accounts/go/?next=%2Faccount%2F', { from: '127.0.0.1' })
    expect(page.text).toContain('<input type="hidden" name="next" value="/account/">')
    const { location } = await go({ subdomain: ' Sales ', next: '/account/' })
    expect(location).toBe(`http://sales.${product.system.externalHost}/accounts/login/?next=%2Faccount%2F`)
    expect(await visit('/accounts/go/?subdomain=sales', { from: '127.0.0.1' })).toMatchObject({
      ...{ status: 302, location: `http://sales.${product.system.externalHost}/accounts/login/` },
    })
  })

  test.each(['', 'nowhere', 'evil.example/', '../x', 'sales.evil', 'x@y', '<b>'])(
    'doesn’t lead to %j',
    async (subdomain) => {
      const page = await go({ subdomain })
      expect(page).toMatchObject({ status: 404, location: '' })
      expect(page.text).toContain('There is no organization of that name.')
      expect(page.text).not.toContain('<b>')
    },
  )

  test.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/\t/evil'])(
    'drops %j as what is next',
    async (next) => {
      const { location } = await go({ subdomain: 'sales', next })
      expect(location).toBe(`http://sales.${product.system.externalHost}/accounts/login/`)
    },
  )
})

describe('the desktop app', () => {
  test('gets a page that has the sign-in done by the browser, from each start', async () => {
    for (const path of [START, '/accounts/login/social/oidc', '/accounts/register/social/oidc']) {
      const page = await visit(path, { headers: ['User-Agent', DESKTOP], from: '127.0.0.1' })
      expect(page).toMatchObject({ status: 200, cookies: [] })
      expect(page.text).toContain('Log in with your browser')
      const begun = await visit(`${path}?desktop_flow_otp=${PAD}`, { headers: ['User-Agent', DESKTOP] })
      expect(begun.status).toBe(302)
    }
    expectRefused(
      await visit('/accounts/login/social/github', { headers: ['User-Agent', DESKTOP], from: '127.0.0.1' }),
    )
  })

  test('makes a key for it, opens the browser with it, and takes what is copied there', async () => {
    const user = await product.createUser()
    const browser = await openBrowser()
    try {
      const context = await browser.newContext({ userAgent: DESKTOP })
      const page = await context.newPage()
      const opened = context.waitForEvent('page')
      await page.goto(`${product.baseUrl}${START}?next=%2Faccount%2F`)
      const started = new URL(
        (await page.getByRole('link', { name: 'Open the browser' }).getAttribute('href')) ?? '',
      )
      await opened
      const key = started.searchParams.get('desktop_flow_otp') ?? ''
      expect(key).toMatch(/^[0-9a-f]{64}$/)
      expect(started.searchParams.get('next')).toBe('/account/')
      const { text } = await visit(`${SSO}${started.search}`, named(emailOf(user)))

      await page.getByLabel('Text from the browser').fill('0'.repeat(120))
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByText('That text is not of this log-in').waitFor()
      await page.getByLabel('Text from the browser').fill(` ${desktopDataIn(text)} `)
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.waitForURL('**/account/')
      expect(await page.locator('body').innerText()).toContain(emailOf(user))
    } finally {
      await browser.close()
    }
  })

  test('makes the key and reads the clipboard itself if it can', async () => {
    const user = await product.createUser()
    const browser = await openBrowser()
    try {
      const context = await browser.newContext({ userAgent: DESKTOP })
      const token = await desktopToken(PAD, emailOf(user))
      await context.addInitScript((pasted) => {
        const bridge = {
          decrypt_clipboard: () => ({ key: new Uint8Array(32).fill(7), pasted: Promise.resolve(pasted) }),
        }
        Object.assign(globalThis, { electron_bridge: bridge })
      }, token)
      const page = await context.newPage()
      const opened = context.waitForEvent('page')
      await page.goto(`${product.baseUrl}${START}`, { waitUntil: 'commit' })
      expect((await opened).url()).toBeDefined()
      await page.waitForURL('**/account/')
      expect(await page.locator('body').innerText()).toContain(emailOf(user))
    } finally {
      await browser.close()
    }
  })
})
