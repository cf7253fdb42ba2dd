import { endpoints, Role } from '@tms/contracts'
import type { TestSystem } from '@tms/test-kit'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violationsOn } from '../support/accessibility.ts'
import { openBrowser } from '../support/browser.ts'
import { newOrganization, passwordOf } from '../support/other-organization.ts'
import { emailOf, newVisitor, Visitor } from '../support/visitor.ts'

const { getOwnUser } = endpoints.users
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

const keyIn = (text: string): string => /id="key" value="([A-Za-z0-9]{32})"/.exec(text)?.[1] ?? ''
/** The values of the buttons that end another session. */
const endable = (text: string): string[] =>
  [...text.matchAll(/name="session" value="([\w-]{43})"/g)].map((match) => match[1] ?? '')

export function accountPageTests(product: () => TestSystem): void {
  describe('the account page', () => {
    test('leads people without a session to the log-in page, and back', async () => {
      const email = emailOf(await product().createUser())
      const visitor = new Visitor(product())
      const { status, location } = await visitor.open('/account/')
      expect({ status, location }).toEqual({ status: 302, location: '/accounts/login/?next=%2Faccount%2F' })

      await visitor.open(location ?? '')
      const fields = { username: email, password: passwordOf(email), next: '/account/' }
      expect((await visitor.post('/accounts/login/', fields)).location).toBe('/account/')
      expect((await visitor.open('/account/')).text).toContain(email)
    })

    test('shows the API key only after the password was entered again', async () => {
      const { user, email, visitor } = await newVisitor(product())
      const key = user.account?.apiKey ?? ''
      expect((await visitor.open('/account/')).text).not.toContain(key)

      const wrong = await visitor.post('/account/key/', { action: 'show', password: 'wrong' })
      expect(wrong.text).toContain('This password is wrong.')
      expect(wrong.text).not.toContain(key)

      const shown = await visitor.post('/account/key/', { action: 'show', password: passwordOf(email) })
      expect(keyIn(shown.text)).toBe(key)
      expect(shown.headers.get('cache-control')).toBe('no-store')
    })

    test('does not take the password of somebody else', async () => {
      const { email: other } = await newVisitor(product())
      const { user, visitor } = await newVisitor(product())
      await visitor.open('/account/')

      const fields = { action: 'show', username: other, password: passwordOf(other) }
      const page = await visitor.post('/account/key/', fields)

      expect(page.text).toContain('This password is wrong.')
      expect(page.text).not.toContain(user.account?.apiKey ?? '')
    })

    test('limits guesses of the password as the log-in page does', async () => {
      const { email, visitor } = await newVisitor(product())
      await visitor.open('/account/')
      for (let attempt = 0; attempt < 5; attempt++)
        await visitor.post('/account/key/', { action: 'show', password: 'wrong' })

      const page = await visitor.post('/account/key/', { action: 'show', password: passwordOf(email) })

      expect(page.text).toContain('There were too many wrong passwords.')
      expect(keyIn(page.text)).toBe('')
      expect((await new Visitor(product()).logIn(email, passwordOf(email))).status).toBe(200)
    })

    test('gives the key as the file that API clients read', async () => {
      const { user, email, visitor } = await newVisitor(product())
      await visitor.open('/account/')

      const file = await visitor.post('/account/key/', { action: 'download', password: passwordOf(email) })

      expect(file.headers.get('content-disposition')).toBe('attachment; filename="zuliprc"')
      expect([file.headers.get('cache-control'), file.headers.get('etag')]).toEqual(['no-store', null])
      expect(file.text).toBe(
        `[api]\nemail=${email}\nkey=${user.account?.apiKey}\nsite=${new URL(product().baseUrl).origin}\n`,
      )
    })

    test('replaces the key, at once at every gateway', async () => {
      const { user, email, visitor } = await newVisitor(product())
      await user.call(getOwnUser, {})
      await visitor.open('/account/')

      const page = await visitor.post('/account/key/', { action: 'replace', password: passwordOf(email) })

      const apiKey = keyIn(page.text)
      expect(apiKey).not.toBe(user.account?.apiKey)
      expect((await user.send(getOwnUser, {})).status).toBe(401)
      const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
      for (const url of product().system.urls.gateway)
        expect((await fetch(`${url}/api/v1/users/me`, { headers: { authorization } })).status).toBe(200)
      expect((await visitor.open('/account/')).status).toBe(200)
    })

    test('lists the sessions of the user, and ends one of them', async () => {
      const { email, visitor } = await newVisitor(product(), { userAgent: FIREFOX })
      const phone = new Visitor(product(), { userAgent: SAFARI })
      await phone.logIn(email, passwordOf(email))
      const { text } = await visitor.open('/account/')
      expect(text).toContain('Firefox on Linux</strong> · this browser')
      expect(text).toContain('Safari on iOS')
      expect(text).toContain('127.0.0.1')
      expect(endable(text)).toHaveLength(1)

      const [session = ''] = endable(text)
      expect(await visitor.post('/account/sessions/', { session })).toMatchObject({ status: 302 })

      expect((await phone.open('/account/')).status).toBe(302)
      expect((await visitor.open('/account/')).text).not.toContain('Safari')
    })

    test('ends all other sessions', async () => {
      const { email, visitor } = await newVisitor(product())
      const others = [new Visitor(product()), new Visitor(product())]
      for (const other of others) await other.logIn(email, passwordOf(email))
      await visitor.open('/account/')

      await visitor.post('/account/sessions/', { session: 'others' })

      for (const other of others) expect((await other.open('/account/')).status).toBe(302)
      expect((await visitor.open('/account/')).status).toBe(200)
    })

    test('does not end sessions of another user', async () => {
      const { email, visitor: victim } = await newVisitor(product())
      const second = new Visitor(product())
      await second.logIn(email, passwordOf(email))
      const [session = ''] = endable((await victim.open('/account/')).text)
      const { visitor } = await newVisitor(product())
      await visitor.open('/account/')

      await visitor.post('/account/sessions/', { session })

      expect((await second.open('/account/')).status).toBe(200)
    })

    test.each(['/account/key/', '/account/sessions/'])('refuses foreign forms at %s', async (path) => {
      const { email, visitor } = await newVisitor(product())
      const second = new Visitor(product())
      await second.logIn(email, passwordOf(email))
      const { visitor: attacker } = await newVisitor(product())
      await attacker.open('/account/')
      await visitor.open('/account/')
      const fields = { session: 'others', action: 'replace', password: passwordOf(email) }

      const refused = [
        await visitor.post(path, { ...fields, csrfmiddlewaretoken: '' }),
        await visitor.post(path, { ...fields, csrfmiddlewaretoken: attacker.token }),
        await visitor.post(path, fields, { origin: 'https://evil.example' }),
      ]

      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403])
      expect((await second.open('/account/')).status).toBe(200)
    })

    test('shows administrators, and nobody else, the ways to log in', async () => {
      const other = await newOrganization(product())
      const host = `${other.hostname}:${new URL(product().baseUrl).port}`
      const pageOf = async (role: Role) => {
        const email = emailOf(await other.createUser({ role }))
        const visitor = new Visitor(product(), { host })
        await visitor.logIn(email, passwordOf(email))
        return (await visitor.open('/account/')).text
      }

      expect(await pageOf(Role.administrator)).toContain('<span>Email</span><span>on</span>')
      expect(await pageOf(Role.member)).not.toContain('Ways to log in')
    })
  })

  describe('in a real browser', () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await openBrowser()
    })
    afterAll(() => browser.close(), 60_000)

    const openPage = async (options: BrowserContextOptions, path: string): Promise<Page> => {
      const page = await (await browser.newContext(options)).newPage()
      await page.goto(new URL(path, product().baseUrl).href)
      return page
    }
    const logIn = async (page: Page, email: string, password: string): Promise<void> => {
      await page.getByLabel('E-mail address').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Log in', exact: true }).click()
    }
    /** How far the page is wider than its window. */
    const overflowOf = (page: Page): Promise<number> =>
      page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

    test.each(['light', 'dark'] as const)(
      'people log in, see their key and log out, on a small %s screen',
      async (colorScheme) => {
        const user = await product().createUser()
        const email = emailOf(user)
        // Axe is an inline script.
        const options = { colorScheme, viewport: { width: 320, height: 640 }, bypassCSP: true } as const
        const page = await openPage(options, '/account/')
        await logIn(page, email, 'wrong')
        await page.locator('[aria-invalid=true]').waitFor()
        expect(await page.getByLabel('E-mail address').inputValue()).toBe(email)
        expect([await violationsOn(page), await overflowOf(page)]).toEqual([[], 0])

        await logIn(page, email, passwordOf(email))
        await page.getByRole('heading', { name: 'Your account' }).waitFor()
        expect([await violationsOn(page), await overflowOf(page)]).toEqual([[], 0])
        await page.getByLabel('Your password', { exact: true }).fill(passwordOf(email))
        await page.getByRole('button', { name: 'Show the key' }).click()
        await page.getByRole('heading', { name: 'Your API key' }).waitFor()
        expect(await page.getByLabel('API key').inputValue()).toBe(user.account?.apiKey)
        expect([await violationsOn(page), await overflowOf(page)]).toEqual([[], 0])

        await page.getByRole('link', { name: 'Back to your account' }).click()
        await page.getByRole('button', { name: 'Log out', exact: true }).click()
        await page.getByRole('heading', { name: 'Log in' }).waitFor()
        await page.context().close()
      },
      60_000,
    )

    test('everything works without scripts', async () => {
      const email = emailOf(await product().createUser())
      const first = await openPage({}, '/login/')
      await logIn(first, email, passwordOf(email))
      await first.getByRole('heading', { name: 'Your account' }).waitFor()
      const page = await openPage({ javaScriptEnabled: false }, '/login/')
      await logIn(page, email, passwordOf(email))
      await page.getByRole('button', { name: /^End the session of/ }).click()
      await page.getByRole('heading', { name: 'Your account' }).waitFor()

      await first.reload()

      await first.getByRole('heading', { name: 'Log in' }).waitFor()
      await page.getByRole('button', { name: 'Log out everywhere' }).click()
      await page.getByRole('heading', { name: 'Log in' }).waitFor()
      await page.context().close()
      await first.context().close()
    })
  })
}
