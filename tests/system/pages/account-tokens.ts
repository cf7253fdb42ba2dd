import { endpoints, Role } from '@tms/contracts'
import { ApiClient, type TestSystem } from '@tms/test-kit'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violationsOn } from '../support/accessibility.ts'
import { openBrowser } from '../support/browser.ts'
import { newOrganization, passwordOf } from '../support/other-organization.ts'
import { holdAccountLock } from '../support/row-locks.ts'
import { createChannel } from '../support/users-and-channels.ts'
import { emailOf, newVisitor, Visitor } from '../support/visitor.ts'

const { createApiToken, getOwnUser, listApiTokens } = endpoints.users

const tokenIn = (text: string): string => /id="token" value="(tms_[A-Za-z0-9]{49})"/.exec(text)?.[1] ?? ''
const shownIn = (text: string): string =>
  (/name="shown" value="([^"]*)"/.exec(text)?.[1] ?? '').replaceAll('&quot;', '"')
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

export function accountTokensTests(product: () => TestSystem): void {
  describe('API tokens on the account page', () => {
    test('are made after the password was entered, shown once, and limited as the form says', async () => {
      const { user, email, visitor } = await newVisitor(product())
      const channels = [await createChannel(user), await createChannel(user)]
      await visitor.open('/account/')
      const form = {
        ...{ name: 'Dashboard <1>', read: 'true', send: 'true', days: '30' },
        channels: `#${channels[0]?.name}\r\n\r\n ${channels[1]?.name} `,
      }

      const wrong = await visitor.post('/account/tokens/', { ...form, password: 'wrong' })
      expect(wrong.text).toContain('This password is wrong.')
      expect(wrong.text).toContain('value="Dashboard &lt;1&gt;"')
      expect(await user.call(listApiTokens, {})).toMatchObject({ api_tokens: [] })

      const made = await visitor.post('/account/tokens/', { ...form, password: passwordOf(email) })
      const token = tokenIn(made.text)
      expect(made.headers.get('cache-control')).toBe('no-store')
      const { api_tokens } = await user.call(listApiTokens, {})
      expect(api_tokens).toMatchObject([
        { name: 'Dashboard <1>', scopes: ['read', 'send'], channel_ids: channels.map(({ id }) => id) },
      ])
      expect((api_tokens[0]?.expires_at ?? 0) - (api_tokens[0]?.date_created ?? 0)).toBeGreaterThan(2_591_990)
      const sent = await product().anonymous.send(
        endpoints.messaging.sendMessage,
        { type: 'channel', to: channels[0]?.id ?? 0, topic: 'x', content: 'x' },
        bearer(token),
      )
      expect(sent.status).toBe(200)

      const { text } = await visitor.open('/account/')
      expect(text).not.toContain(token)
      expect(text).toContain('Dashboard &lt;1&gt;')
      for (const { name } of channels) expect(text).toContain(`#${name}`)
    })

    test('are refused with what is wrong, beside what was entered', async () => {
      const { user, email, visitor } = await newVisitor(product())
      await visitor.open('/account/')
      const form = { name: 'One', read: 'true', days: '', password: passwordOf(email) }
      const textAfter = async (fields: Record<string, string>) =>
        (await visitor.post('/account/tokens/', fields)).text

      expect(await textAfter({ ...form, channels: 'no such channel' })).toContain(
        'Invalid channel name &#x27;no such channel&#x27;',
      )
      for (const channels of ['#', '\r\n # \r\n'])
        expect(await textAfter({ ...form, channels })).toContain('Invalid channel name')
      expect(await textAfter({ ...form, name: ' ' })).toContain('cannot be blank')
      const { name, days, password } = form
      expect(await textAfter({ name, days, password })).toContain('Choose at least one thing')
      expect(await textAfter({ ...form, days: '0.5' })).toContain('Choose how long')
      expect(await textAfter({ ...form, days: '4000' })).toContain('Choose how long')
      expect(await user.call(listApiTokens, {})).toMatchObject({ api_tokens: [] })
    })

    test('are limited to a channel as its name is written, also if that begins with a number sign', async () => {
      const { user, email, visitor } = await newVisitor(product())
      const plain = await createChannel(user)
      const marked = { name: `#${plain.name}` }
      await user.call(endpoints.messaging.subscribe, { subscriptions: [marked] })
      const { stream_id } = await user.call(endpoints.messaging.getChannelId, { stream: marked.name })
      await visitor.open('/account/')
      const form = { read: 'true', days: '', password: passwordOf(email) }

      for (const channels of [plain.name, marked.name, `#${marked.name}`])
        await visitor.post('/account/tokens/', { ...form, name: channels.slice(0, 30), channels })

      const { api_tokens } = await user.call(listApiTokens, {})
      expect(api_tokens.map(({ channel_ids }) => channel_ids)).toEqual([[plain.id], [stream_id], [stream_id]])
    })

    test('are revoked, at once at every gateway, and only those of the user and their bots', async () => {
      const { user, visitor } = await newVisitor(product())
      const { user: other } = await newVisitor(product())
      const [own, foreign] = [
        await user.call(createApiToken, { name: 'own', scopes: ['read'] }),
        await other.call(createApiToken, { name: 'foreign', scopes: ['read'] }),
      ]
      const statusesOf = (token: string) =>
        Promise.all(
          product().system.urls.gateway.map(
            async (url) => (await new ApiClient(url, null).send(getOwnUser, {}, bearer(token))).status,
          ),
        )
      const { text } = await visitor.open('/account/')
      expect(text).toContain('Revoke the token own')
      expect(text).not.toContain('foreign')
      expect(await statusesOf(own.token)).not.toContain(401)

      for (const revoke of [foreign.api_token.id, own.api_token.id, own.api_token.id, 'x'])
        expect((await visitor.post('/account/tokens/', { revoke: String(revoke) })).status).toBe(302)

      expect(new Set(await statusesOf(own.token))).toEqual(new Set([401]))
      expect(await statusesOf(foreign.token)).not.toContain(401)
    })

    test.each(['/account/tokens/', '/account/methods/', '/account/provisioning/'])(
      'refuses foreign forms at %s',
      async (path) => {
        const { user, email, visitor } = await newVisitor(product())
        const { api_token } = await user.call(createApiToken, { name: 'own', scopes: ['read'] })
        const { visitor: attacker } = await newVisitor(product())
        await attacker.open('/account/')
        await visitor.open('/account/')
        const fields = { revoke: String(api_token.id), password: passwordOf(email) }

        const refused = [
          await visitor.post(path, { ...fields, csrfmiddlewaretoken: '' }),
          await visitor.post(path, { ...fields, csrfmiddlewaretoken: attacker.token }),
          await visitor.post(path, fields, { origin: 'https://evil.example' }),
        ]

        expect(refused.map(({ status }) => status)).toEqual([403, 403, 403])
        expect(await user.call(listApiTokens, {})).toMatchObject({ api_tokens: [api_token] })
        expect((await new Visitor(product()).open(path)).status).toBe(405)
      },
    )
  })

  describe('ways to log in on the account page', () => {
    test('are switched by owners after their password, and at least one stays on', async () => {
      const other = await newOrganization(product())
      const host = `${other.hostname}:${new URL(product().baseUrl).port}`
      const visitorOf = async (role: Role) => {
        const email = emailOf(await other.createUser({ role }))
        const visitor = new Visitor(product(), { host })
        await visitor.logIn(email, passwordOf(email))
        await visitor.open('/account/')
        return { visitor, password: passwordOf(email) }
      }
      const shownTo = async (one: Visitor) => ({ shown: shownIn((await one.open('/account/')).text) })
      const [owner, administrator] = [await visitorOf(Role.owner), await visitorOf(Role.administrator)]
      const email = { method_Email: 'true' }
      const { visitor, password } = owner

      const asAdministrator = await administrator.visitor.post('/account/methods/', {
        ...{ ...email, password: administrator.password },
      })
      expect(asAdministrator.text).not.toContain('Save the ways')
      const wrong = await visitor.post('/account/methods/', { ...email, password: 'wrong' })
      expect(wrong.text).toContain('This password is wrong.')
      const shown = await shownTo(visitor)
      const none = await visitor.post('/account/methods/', { ...shown, password })
      expect(none.text).toContain('At least one authentication method must be enabled.')
      const saved = await visitor.post('/account/methods/', { ...shown, ...email, password })
      expect(saved).toMatchObject({ status: 302, location: '/account/#methods' })
      const { text } = await visitor.open('/account/')
      expect(text).toContain('name="method_Email" value="true" checked')
      expect(shownIn(text)).toBe('["Email"]')

      const others = '["Dev","Email"]'
      const stale = await visitor.post('/account/methods/', { shown: others, method_Dev: 'true', password })
      expect(stale.text).toContain('They were changed since this page was shown.')
      expect(shownIn(stale.text)).toBe('["Email"]')
      expect(shownIn((await visitor.open('/account/')).text)).toBe('["Email"]')
    })
  })

  describe('provisioning on the account page', () => {
    test('gets a token, another one, and none, by owners after their password, and is shown to administrators', async () => {
      const other = await newOrganization(product())
      const host = `${other.hostname}:${new URL(product().baseUrl).port}`
      const visitorOf = async (role: Role) => {
        const email = emailOf(await other.createUser({ role }))
        const visitor = new Visitor(product(), { host })
        await visitor.logIn(email, passwordOf(email))
        return { visitor, password: passwordOf(email), text: (await visitor.open('/account/')).text }
      }
      const [owner, administrator, member] = [
        await visitorOf(Role.owner),
        await visitorOf(Role.administrator),
        await visitorOf(Role.member),
      ]
      const { visitor, password } = owner
      const path = '/account/provisioning/'
      const provisions = async (token: string) =>
        (
          await fetch(`${product().baseUrl}/scim/v2/Users`, {
            headers: { authorization: `Bearer ${token}`, 'x-forwarded-host': host },
          })
        ).status
      const tokenOf = (text: string) => /id="token" value="(scim_\w+)"/.exec(text)?.[1] ?? ''

      expect([owner.text, administrator.text].map((text) => text.includes('It has no token yet.'))).toEqual([
        true,
        true,
      ])
      expect(member.text).not.toContain('SCIM')
      for (const { visitor: one, password: own } of [administrator, member])
        expect(tokenOf((await one.post(path, { action: 'make', password: own })).text)).toBe('')
      const wrong = await visitor.post(path, { action: 'make', password: 'wrong' })
      expect(wrong.text).toContain('This password is wrong.')

      const first = tokenOf((await visitor.post(path, { action: 'make', password })).text)
      expect(await provisions(first)).toBe(200)
      expect((await administrator.visitor.open('/account/')).text).toMatch(/Its token was made .* by [^<]+\./)
      await visitor.open('/account/')
      const second = tokenOf((await visitor.post(path, { action: 'make', password })).text)
      expect([await provisions(first), await provisions(second)]).toEqual([401, 200])
      await visitor.open('/account/')
      expect((await visitor.post(path, { action: 'revoke', password: 'wrong' })).text).toContain('is wrong')
      expect(await provisions(second)).toBe(200)
      expect((await visitor.post(path, { action: 'revoke', password })).status).toBe(302)
      expect(await provisions(second)).toBe(401)
    })

    test('stays as it is for an owner who loses the role meanwhile, and needs a button to be replaced', async () => {
      const other = await newOrganization(product())
      const host = `${other.hostname}:${new URL(product().baseUrl).port}`
      const user = await other.createUser({ role: Role.owner })
      const [email, visitor] = [emailOf(user), new Visitor(product(), { host })]
      const password = passwordOf(email)
      await visitor.logIn(email, password)
      const section = (text: string) => text.slice(text.indexOf('action="/account/provisioning/"'))
      const firstButton = (text: string) => /<button[^>]*>/.exec(section(text))?.[0] ?? ''
      expect(firstButton((await visitor.open('/account/')).text)).toContain('value="make"')
      const path = '/account/provisioning/'
      expect((await visitor.post(path, { action: 'make', password })).text).toContain('scim_')
      const { text } = await visitor.open('/account/')
      expect(firstButton(text)).toBe('<button disabled hidden>')

      const lock = await holdAccountLock(product(), user.userId)
      const demoted = other.owner.call(endpoints.users.updateUser, {
        user_id: user.userId,
        role: Role.member,
      })
      await lock.waitForWaiters(1)
      const answers = ['make', 'revoke'].map((action) => visitor.post(path, { action, password }))
      await lock.waitForWaiters(3)
      await lock.release()
      await demoted

      for (const { text } of await Promise.all(answers)) expect(text).not.toContain('scim_')
      const { scim_token } = await other.owner.call(endpoints.users.getScimToken, {})
      expect(scim_token).toMatchObject({ creator_id: user.userId })
    })
  })

  describe('the account page in a real browser', () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await openBrowser()
    })
    afterAll(() => browser.close(), 60_000)

    test.each([
      ['light', true],
      ['dark', true],
      ['dark', false],
    ] as const)(
      'makes and revokes a token on a small %s screen, with scripts: %s',
      async (colorScheme, javaScriptEnabled) => {
        const user = await product().createUser()
        const [email, channel] = [emailOf(user), await createChannel(user)]
        const context = await browser.newContext({
          ...{ colorScheme, javaScriptEnabled, viewport: { width: 320, height: 640 }, bypassCSP: true },
        })
        const page = await context.newPage()
        const check = async () => {
          if (!javaScriptEnabled) return
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
          expect([await violationsOn(page), overflow]).toEqual([[], 0])
        }
        await page.goto(new URL('/account/', product().baseUrl).href)
        await page.getByLabel('E-mail address').fill(email)
        await page.getByLabel('Password', { exact: true }).fill(passwordOf(email))
        await page.getByRole('button', { name: 'Log in', exact: true }).click()
        await page.locator('summary').click()
        await check()
        await page.getByLabel('Name of the token').fill('Build server')
        await page.getByLabel('Send messages, react').check()
        await page.getByLabel('Only in these channels').fill(channel.name)
        await page.getByLabel('It is valid for').selectOption('A week')
        await page.getByLabel('Your password, to make a token').fill('wrong')
        await page.getByRole('button', { name: 'Make the token' }).click()
        await page.locator('[aria-invalid=true]').waitFor()
        expect(await page.getByLabel('Only in these channels').inputValue()).toBe(channel.name)
        await check()

        await page.getByLabel('Your password, to make a token').fill(passwordOf(email))
        await page.getByRole('button', { name: 'Make the token' }).click()
        await page.getByRole('heading', { name: 'Your new token' }).waitFor()
        expect(await page.getByLabel('Build server').inputValue()).toMatch(/^tms_/)
        await check()
        await page.getByRole('link', { name: 'Back to your account' }).click()
        await page.getByText(`read, send in #${channel.name}`).waitFor()
        await check()
        await page.getByRole('button', { name: 'Revoke the token Build server' }).click()
        await page
          .getByRole('button', { name: 'Revoke the token Build server' })
          .waitFor({ state: 'detached' })
        expect(await user.call(listApiTokens, {})).toMatchObject({ api_tokens: [] })
        await context.close()
      },
      60_000,
    )

    test.each(['light', 'dark'] as const)(
      'fits a small %s screen for owners',
      async (colorScheme) => {
        const email = emailOf(await product().createUser(undefined, { role: Role.owner }))
        const viewport = { width: 320, height: 640 }
        const context = await browser.newContext({ colorScheme, viewport, bypassCSP: true })
        const page = await context.newPage()
        await page.goto(new URL('/account/', product().baseUrl).href)
        await page.getByLabel('E-mail address').fill(email)
        await page.getByLabel('Password', { exact: true }).fill(passwordOf(email))
        await page.getByRole('button', { name: 'Log in', exact: true }).click()
        await page.getByRole('heading', { name: 'Provisioning (SCIM)' }).waitFor()

        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect([await violationsOn(page), overflow]).toEqual([[], 0])
        await context.close()
      },
      60_000,
    )
  })
}
