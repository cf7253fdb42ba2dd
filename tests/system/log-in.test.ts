import { endpoints } from '@tms/contracts'
import { mastersOf } from '@tms/service-kit'
import { startTestSystem, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountNotificationsTests } from './pages/account-notifications.ts'
import { accountPageTests } from './pages/account-page.ts'
import { accountTokensTests } from './pages/account-tokens.ts'
import { accountUsersTests } from './pages/account-users.ts'
import { newOrganization, passwordOf } from './support/other-organization.ts'
import { openTestRedis } from './support/test-redis.ts'
import { emailOf, newVisitor, Visitor } from './support/visitor.ts'

const { deactivateUser, fetchApiKey, reactivateUser, updateSettings } = endpoints.users
const { deactivateRealm } = endpoints.realm

let product: TestSystem
beforeAll(async () => {
  product = await startTestSystem({
    env: process.env,
    replicas: { gateway: 2, users: 2 },
    // Organizations and schemes are chosen as a proxy does it.
    serviceEnv: { TRUST_PROXY: 'true' },
  })
}, 180_000)
afterAll(() => product.stop(), 60_000)

const signedIn = () => newVisitor(product)

/** Whether a browser is signed in, by each gateway. */
const isSignedIn = async (visitor: Visitor): Promise<boolean[]> => {
  const pages = await Promise.all(product.system.urls.gateway.map((url) => visitor.at(url).open('/login/')))
  return pages.map(({ status }) => status === 302)
}

/** All keys and values of sessions in Redis. */
async function storedTexts(): Promise<string[]> {
  const redis = await openTestRedis(product.servers)
  try {
    const texts: string[] = []
    for (const node of mastersOf(redis))
      for (const key of await node.keys('*sessions:*')) {
        const values = key.endsWith(':accounts') ? await node.smembers(key) : await node.hgetall(key)
        texts.push(key, JSON.stringify(values))
      }
    return texts
  } finally {
    redis.disconnect()
  }
}

describe('the log-in page', () => {
  test('signs a user in, at every gateway', async () => {
    const { visitor } = await signedIn()

    expect(await isSignedIn(visitor)).toEqual([true, true])
    expect(await visitor.open('/accounts/login/')).toMatchObject({ status: 302, location: '/account/' })
    expect((await visitor.open('/login/?preview=true')).status).toBe(200)
  })

  test('sets cookies for this host alone, which no script reads', async () => {
    const user = await product.createUser()
    const visitor = new Visitor(product)
    const answer = await visitor.logIn(emailOf(user), passwordOf(emailOf(user)))

    expect(answer.cookies[0]).toMatch(
      /^sessionid=\d+\.[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/,
    )
    expect(answer.headers.get('cache-control')).toContain('no-store')
  })

  test('sets cookies behind HTTPS that no other host could set, and takes no others', async () => {
    const user = await product.createUser()
    const visitor = new Visitor(product, { scheme: 'https' })
    const answer = await visitor.logIn(emailOf(user), passwordOf(emailOf(user)))

    expect(answer.cookies[0]).toMatch(
      /^__Host-sessionid=.+; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure$/,
    )
    expect((await visitor.open('/login/')).status).toBe(302)
    visitor.cookies.set('sessionid', visitor.cookies.get('__Host-sessionid') ?? '')
    visitor.cookies.delete('__Host-sessionid')
    expect((await visitor.open('/login/')).status).toBe(200)
  })

  test('has the strict policy of the other pages', async () => {
    const { headers } = await new Visitor(product).open('/login/')

    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; form-action 'self'; frame-anc/,
    )
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('same-origin')
  })

  test('says the same of a wrong password, an unknown address and one of another organization', async () => {
    const other = await newOrganization(product)
    const elsewhere = emailOf(await other.createUser())
    const email = emailOf(await product.createUser())

    for (const username of [email, 'nobody@example.com', elsewhere]) {
      const visitor = new Visitor(product)
      const page = await visitor.logIn(username, 'wrong')
      expect(page.status).toBe(200)
      expect(page.text).toContain('The user name or the password is wrong.')
      expect(page.text).toContain(username)
      expect(visitor.cookies.has('sessionid')).toBe(false)
    }
  })

  test('tells a deactivated account so before its password is checked', async () => {
    const user = await product.createUser()
    await product.owner.call(deactivateUser, { user_id: user.account?.userId ?? 0 })

    const page = await new Visitor(product).logIn(emailOf(user), 'wrong')

    expect(page).toMatchObject({ status: 200, cookies: [] })
    expect(page.text).toContain(`The account ${emailOf(user)} is deactivated.`)
  })

  test('counts wrong passwords together with the API, at all gateways', async () => {
    const user = await product.createUser()
    const username = emailOf(user)
    const [first = '', second = ''] = product.system.urls.gateway
    for (const url of [first, second, first])
      await new Visitor(product, { gatewayUrl: url }).logIn(username.toUpperCase(), 'wrong')
    for (let attempt = 0; attempt < 2; attempt++)
      expect((await product.anonymous.send(fetchApiKey, { username, password: 'wrong' })).status).toBe(401)

    const page = await new Visitor(product, { gatewayUrl: second }).logIn(username, passwordOf(username))

    expect(page.text).toContain('There were too many wrong passwords. Try again in 30 minutes.')
    expect(page.headers.get('retry-after')).toMatch(/^1[78]\d\d$/)
    expect((await product.anonymous.send(fetchApiKey, { username, password: 'wrong' })).status).toBe(429)
  })

  test.each([
    ['?is_deactivated=ann%40example.com', 'The account ann@example.com is deactivated.'],
    ['?already_registered=1&email=ann%40example.com', 'You have an account already'],
    ['?email=ann%40example.com', 'value="ann@example.com"'],
  ])('shows what the query %s says', async (query, text) => {
    expect((await new Visitor(product).open(`/login/${query}`)).text).toContain(text)
  })

  test('shows no text that a link chose', async () => {
    const { text } = await new Visitor(product).open('/login/?is_deactivated=Call+555-1234')

    expect(text).not.toContain('555-1234')
  })

  test.each([
    ['/somewhere?a=1', '/somewhere?a=1'],
    ['https://evil.example/', '/account/'],
    ['//evil.example', '/account/'],
    ['/\\evil.example', '/account/'],
    ['/%09/evil.example', '/%09/evil.example'],
    ['/\t/evil.example', '/account/'],
    ['javascript:alert(1)', '/account/'],
    ['https:evil.example', '/account/'],
  ])('given next=%j, goes on to %s', async (next, location) => {
    const user = await product.createUser()
    const query = `?${new URLSearchParams({ next }).toString()}`
    const visitor = new Visitor(product)

    expect(await visitor.logIn(emailOf(user), passwordOf(emailOf(user)), query)).toMatchObject({
      ...{ status: 302, location },
    })
    expect((await visitor.open(`/login/${query}`)).location).toBe(location)
  })
})

describe('a form', () => {
  test.each<[string, (visitor: Visitor) => [Record<string, string>, Record<string, string | undefined>]]>([
    ['without a token', () => [{ csrfmiddlewaretoken: '' }, {}]],
    ['with a token that was changed', ({ token }) => [{ csrfmiddlewaretoken: `${token}x` }, {}]],
    ['of another site', () => [{}, { origin: 'https://evil.example' }]],
    ['of a page without origin', () => [{}, { origin: 'null' }]],
    ['of another host here', () => [{}, { origin: `http://other.${new URL(product.baseUrl).host}` }]],
    [
      'whose referrer is elsewhere',
      () => [{}, { origin: undefined, referer: 'https://evil.example/login/' }],
    ],
  ])('%s does not sign anybody in', async (_, change) => {
    const email = emailOf(await product.createUser())
    const visitor = new Visitor(product)
    await visitor.open('/login/')
    const [fields, headers] = change(visitor)

    const page = await visitor.post(
      '/accounts/login/',
      { username: email, password: passwordOf(email), ...fields },
      headers,
    )

    expect(page).toMatchObject({ status: 403, cookies: [] })
    expect(page.text).toContain('Please try that again')
  })

  test('with the token of another browser does not sign anybody in', async () => {
    const email = emailOf(await product.createUser())
    const [attacker, victim] = [new Visitor(product), new Visitor(product)]
    await attacker.open('/login/')
    await victim.open('/login/')

    const fields = { username: email, password: passwordOf(email), csrfmiddlewaretoken: attacker.token }
    expect((await victim.post('/accounts/login/', fields)).status).toBe(403)
    victim.cookies.clear()
    expect((await victim.post('/accounts/login/', fields)).status).toBe(403)
  })

  test('behind HTTPS needs an origin or a referrer', async () => {
    const email = emailOf(await product.createUser())
    const visitor = new Visitor(product, { scheme: 'https' })
    const fields = { username: email, password: passwordOf(email) }
    await visitor.open('/login/')

    expect((await visitor.post('/accounts/login/', fields, { origin: undefined })).status).toBe(403)
    const referer = `${visitor.origin}/login/`
    expect((await visitor.post('/accounts/login/', fields, { origin: undefined, referer })).status).toBe(302)
  })
})

describe('a session', () => {
  test('gets another ID with each sign-in, and the earlier one ends', async () => {
    const { visitor, email } = await signedIn()
    const earlier = visitor.at(product.baseUrl)
    await visitor.open('/login/?preview=true')
    await visitor.post('/accounts/login/', { username: email, password: passwordOf(email) })

    expect(visitor.cookies.get('sessionid')).not.toBe(earlier.cookies.get('sessionid'))
    expect(await isSignedIn(visitor)).toEqual([true, true])
    expect(await isSignedIn(earlier)).toEqual([false, false])
  })

  test('is never one that somebody else chose', async () => {
    const email = emailOf(await product.createUser())
    const visitor = new Visitor(product)
    const chosen = `${'1'}.${'A'.repeat(43)}`
    visitor.cookies.set('sessionid', chosen)
    await visitor.logIn(email, passwordOf(email))

    expect(visitor.cookies.get('sessionid')).not.toBe(chosen)
    const attacker = new Visitor(product)
    attacker.cookies.set('sessionid', chosen)
    expect(await isSignedIn(attacker)).toEqual([false, false])
  })

  test('is valid at the host of its organization alone', async () => {
    const other = await newOrganization(product)
    const email = emailOf(await other.createUser())
    const host = `${other.hostname}:${new URL(product.baseUrl).port}`
    const visitor = new Visitor(product, { host })
    expect((await visitor.logIn(email, passwordOf(email))).status).toBe(302)
    expect((await visitor.open('/login/')).status).toBe(302)

    const here = new Visitor(product)
    here.cookies.set('sessionid', visitor.cookies.get('sessionid') ?? '')

    expect(await isSignedIn(here)).toEqual([false, false])
  })

  test('is not accepted by the API', async () => {
    const { visitor } = await signedIn()

    expect((await visitor.open('/api/v1/users/me')).status).toBe(401)
  })

  test('is stored without what its cookie says', async () => {
    const { visitor } = await signedIn()
    const secret = (visitor.cookies.get('sessionid') ?? '').split('.')[1] ?? ''
    const found = await storedTexts()

    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((text) => text.includes(secret))).toEqual([])
  })

  test('ends with the deactivation of its account, and stays so', async () => {
    const { user, visitor } = await signedIn()
    const user_id = user.account?.userId ?? 0

    await product.owner.call(deactivateUser, { user_id })
    expect(await isSignedIn(visitor)).toEqual([false, false])

    await product.owner.call(reactivateUser, { user_id })
    expect(await isSignedIn(visitor)).toEqual([false, false])
  })

  test('ends with the deactivation of its organization, and stays so', async () => {
    const other = await newOrganization(product)
    const email = emailOf(await other.createUser())
    const visitor = new Visitor(product, { host: `${other.hostname}:${new URL(product.baseUrl).port}` })
    await visitor.logIn(email, passwordOf(email))

    await other.owner.call(deactivateRealm, {})
    for (const url of product.system.urls.gateway)
      expect(await visitor.at(url).open('/login/')).toMatchObject({
        ...{ status: 302, location: '/accounts/deactivated/' },
      })
    expect((await visitor.open('/accounts/deactivated/')).text).toContain('is deactivated')

    await other.reactivate()
    expect(await isSignedIn(visitor)).toEqual([false, false])
    expect((await visitor.open('/accounts/deactivated/')).location).toBe('/accounts/login/')
  })

  test('ends when the password changes', async () => {
    const { user, email, visitor } = await signedIn()
    const new_password = 'another long password of a user 9'

    await user.call(updateSettings, { old_password: passwordOf(email), new_password })

    expect(await isSignedIn(visitor)).toEqual([false, false])
    expect((await visitor.logIn(email, new_password)).status).toBe(302)
  })
})

describe('logging out', () => {
  test('ends the session of this browser, everywhere, and no other', async () => {
    const { visitor, email } = await signedIn()
    const other = new Visitor(product)
    await other.logIn(email, passwordOf(email))
    const before = visitor.at(product.baseUrl)
    await visitor.open('/account/')

    expect(await visitor.post('/accounts/logout/')).toMatchObject({
      ...{ status: 302, location: '/accounts/login/' },
    })

    expect(visitor.cookies.has('sessionid')).toBe(false)
    expect(await isSignedIn(before)).toEqual([false, false])
    expect(await isSignedIn(other)).toEqual([true, true])
  })

  test('everywhere ends the sessions of all browsers', async () => {
    const { visitor, email } = await signedIn()
    const other = new Visitor(product)
    await other.logIn(email, passwordOf(email))
    await visitor.open('/account/')

    await visitor.post('/accounts/logout/', { everywhere: 'true' })

    expect(await isSignedIn(other)).toEqual([false, false])
  })

  test('is not possible by a link', async () => {
    const { visitor } = await signedIn()

    expect(await visitor.open('/accounts/logout/')).toMatchObject({ status: 405 })
    expect(await isSignedIn(visitor)).toEqual([true, true])
  })

  test.each([
    ['without a token', { csrfmiddlewaretoken: '' }, {}],
    ['from another site', {}, { origin: 'https://evil.example' }],
  ])('is not possible %s', async (_, fields, headers) => {
    const { visitor } = await signedIn()
    await visitor.open('/account/')

    expect((await visitor.post('/accounts/logout/', fields, headers)).status).toBe(403)
    expect(await isSignedIn(visitor)).toEqual([true, true])
  })

  test('is not possible with the token of another user’s session', async () => {
    const { visitor } = await signedIn()
    const { visitor: attacker } = await signedIn()
    await attacker.open('/account/')

    expect((await visitor.post('/accounts/logout/', { csrfmiddlewaretoken: attacker.token })).status).toBe(
      403,
    )
    expect(await isSignedIn(visitor)).toEqual([true, true])
  })

  test('without a session leads to the log-in page', async () => {
    expect(await new Visitor(product).post('/accounts/logout/')).toMatchObject({
      ...{ status: 302, location: '/accounts/login/' },
    })
  })
})

accountPageTests(() => product)
accountNotificationsTests(() => product)
accountTokensTests(() => product)
accountUsersTests(() => product)
