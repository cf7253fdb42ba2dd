import { endpoints, Role } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violationsOn } from '../support/accessibility.ts'
import { openBrowser } from '../support/browser.ts'
import { newOrganization, type OtherOrganization, passwordOf } from '../support/other-organization.ts'
import { holdAccountLock } from '../support/row-locks.ts'
import { emailOf, type VisitedPage, Visitor } from '../support/visitor.ts'

const { createApiToken, deactivateUser, getOwnUser, getUser, listApiTokens, updateSettings, updateUser } =
  endpoints.users

const pathOf = ({ userId }: Pick<ApiClient, 'userId'>): string => `/account/users/${userId}/`
/** The names in a list, in its order. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/<a href="\/account\/users\/\d+\/">([^<]*)<\/a>/g)].map((match) => match[1] ?? '')
const nextIn = (text: string): string | undefined =>
  /href="([^"]*)">Next page</.exec(text)?.[1]?.replaceAll('&amp;', '&')

export function accountUsersTests(product: () => TestSystem): void {
  describe('users on the account page', () => {
    let other: OtherOrganization
    let administrator: ApiClient
    let visitor: Visitor
    /** A browser in which somebody is signed in. */
    const visitorOf = async (user: ApiClient, { hostname } = other): Promise<Visitor> => {
      const host = `${hostname}:${new URL(product().baseUrl).port}`
      const signedIn = new Visitor(product(), { host })
      expect((await signedIn.logIn(emailOf(user), passwordOf(emailOf(user)))).status).toBe(302)
      return signedIn
    }
    /** Opens the page of a user, and sends its form with an administrator's password. */
    const submit = async (
      target: Pick<ApiClient, 'userId'>,
      fields: Record<string, string>,
      by = { visitor, user: administrator },
    ): Promise<VisitedPage> => {
      await by.visitor.open(pathOf(target))
      return by.visitor.post(pathOf(target), { password: passwordOf(emailOf(by.user)), ...fields })
    }
    const recordOf = async ({ userId: user_id }: ApiClient) =>
      (await other.owner.call(getUser, { user_id })).user
    const rename = (user: ApiClient, full_name: string) =>
      other.owner.call(updateUser, { user_id: user.userId, full_name })

    beforeAll(async () => {
      other = await newOrganization(product())
      administrator = await other.createUser({ role: Role.administrator })
      visitor = await visitorOf(administrator)
    })

    test('are listed by name, page by page, for administrators alone', async () => {
      const people = await Promise.all(Array.from({ length: 55 }, () => other.createUser()))
      for (const [index, person] of people.entries()) await rename(person, `Person ${100 + index}`)
      expect((await visitor.open('/account/')).text).toContain('action="/account/users/"')

      const first = await visitor.open('/account/users/?search=person')
      const second = await visitor.open(nextIn(first.text) ?? '')

      expect([namesIn(first.text).length, namesIn(second.text).length]).toEqual([50, 5])
      expect([...namesIn(first.text), ...namesIn(second.text)]).toEqual(
        people.map((_, index) => `Person ${100 + index}`),
      )
      expect(nextIn(second.text)).toBeUndefined()
      const member = await visitorOf(people[0] as ApiClient)
      expect((await member.open('/account/')).text).not.toContain('/account/users/')
      for (const path of ['/account/users/', pathOf(administrator)])
        expect(await member.open(path)).toMatchObject({ status: 302, location: '/account/' })
      expect(
        (
          await submit(
            administrator,
            { action: 'deactivate' },
            { visitor: member, user: people[0] as ApiClient },
          )
        ).location,
      ).toBe('/account/')
      expect((await recordOf(administrator)).is_active).toBe(true)
    })

    test('are found by parts of the name and the address', async () => {
      const [user, hidden] = [await other.createUser(), await other.createUser()]
      await rename(user, 'Zoë O’Hara-Ünal')
      await rename(hidden, 'Zoë Hidden')
      await hidden.call(updateSettings, { email_address_visibility: 4 })
      const find = async (search: string, show = 'active') =>
        namesIn(
          (await visitor.open(`/account/users/?${new URLSearchParams({ search, show }).toString()}`)).text,
        )

      expect(await find('ünal zo')).toEqual(['Zoë O’Hara-Ünal'])
      expect(await find(emailOf(user).toUpperCase())).toContain('Zoë O’Hara-Ünal')
      expect(await find('zo')).toEqual(['Zoë Hidden', 'Zoë O’Hara-Ünal'])
      expect(await find(emailOf(hidden))).toEqual([])
      for (const search of ['%', '_', '\\', "'", 'nobody at all']) expect(await find(search)).toEqual([])
      expect(await find('o’h')).toEqual(['Zoë O’Hara-Ünal'])
      await other.owner.call(deactivateUser, { user_id: user.userId })
      expect([await find('ünal'), await find('ünal', 'deactivated')]).toEqual([[], ['Zoë O’Hara-Ünal']])
      expect((await visitor.open(pathOf(hidden))).text).not.toContain(emailOf(hidden))
    })

    test('get another role after the password was entered', async () => {
      const user = await other.createUser()
      const form = { action: 'role', role: String(Role.moderator), shown_role: String(Role.member) }

      const wrong = await submit(user, { ...form, password: 'wrong' })
      expect(wrong.text).toContain('This password is wrong.')
      expect((await recordOf(user)).role).toBe(Role.member)

      expect(await submit(user, form)).toMatchObject({ status: 302, location: pathOf(user) })
      expect((await recordOf(user)).role).toBe(Role.moderator)
      expect((await visitor.open(pathOf(user))).text).toContain('selected>Moderator')
      // The form shows what the role was before.
      const stale = await submit(user, { ...form, role: String(Role.guest) })
      expect(stale.text).toContain('The role was changed since this page was shown')
      expect((await recordOf(user)).role).toBe(Role.moderator)
    })

    test('are changed only as the API allows', async () => {
      const { owner } = other
      const guest = await other.createUser({ role: Role.guest })
      const user = await other.createUser()
      const textAfter = async (...args: Parameters<typeof submit>) => (await submit(...args)).text
      const role = (from: Role, to: Role) => ({
        ...{ action: 'role', shown_role: String(from), role: String(to) },
      })

      expect(await textAfter(user, role(Role.member, Role.owner))).toContain('Only organization owners can')
      expect(await textAfter(owner, role(Role.owner, Role.member))).toContain('Only organization owners can')
      expect(await textAfter(owner, { action: 'deactivate' })).toContain('Only organization owners can')
      expect(await textAfter(guest, role(Role.guest, Role.administrator))).toContain('cannot be made an')
      expect(await textAfter(user, { ...role(Role.member, Role.member), role: '1' })).toContain(
        'Choose a role',
      )
      const foreign = await product().createUser()
      for (const id of [foreign.userId, 'x', '0', '99999999999'])
        expect((await visitor.open(`/account/users/${id}/`)).status).toBe(404)
      expect((await submit(foreign, { action: 'deactivate' })).status).toBe(404)
      expect((await foreign.call(getOwnUser, {})).is_active).toBe(true)
    })

    test('stay owners if there is no other', async () => {
      const alone = await newOrganization(product())
      const user = await alone.createUser({ role: Role.owner })
      await user.call(updateUser, { user_id: alone.owner.userId, role: Role.member })
      const by = { visitor: await visitorOf(user, alone), user }
      const role = { action: 'role', shown_role: String(Role.owner), role: String(Role.member) }

      expect((await submit(user, { action: 'deactivate' }, by)).text).toContain('The only organization owner')
      expect((await submit(user, role, by)).text).toContain('cannot be removed from')
      expect(await user.call(getOwnUser, {})).toMatchObject({ is_active: true, role: Role.owner })
    })

    test('are out at once when deactivated, and come back', async () => {
      const user = await other.createUser()
      const theirs = await visitorOf(user)

      expect((await submit(user, { action: 'deactivate', password: 'wrong' })).status).toBe(200)
      expect((await theirs.open('/account/')).status).toBe(200)
      expect((await submit(user, { action: 'deactivate' })).status).toBe(302)

      expect((await theirs.open('/account/')).status).toBe(302)
      expect((await user.send(getOwnUser, {})).status).toBe(401)
      expect((await visitor.open(pathOf(user))).text).toContain('deactivated')
      expect(
        (
          await visitor.post(pathOf(user), {
            action: 'deactivate',
            password: passwordOf(emailOf(administrator)),
          })
        ).text,
      ).toContain('deactivated already')
      expect((await submit(user, { action: 'reactivate' })).status).toBe(302)
      expect((await user.call(getOwnUser, {})).is_active).toBe(true)
      expect((await theirs.open('/account/')).status).toBe(302)
    })

    test('lose their sessions and tokens, for which no password is asked', async () => {
      const user = await other.createUser()
      const theirs = [await visitorOf(user), await visitorOf(user)]
      const { token } = await user.call(createApiToken, { name: 'Robot <1>', scopes: ['read'] })
      const { text } = await visitor.open(pathOf(user))
      expect(text).toContain('In 2 browsers.')
      expect(text).toContain('Robot &lt;1&gt;')

      await visitor.post(pathOf(user), { action: 'end-sessions' })
      for (const one of theirs) expect((await one.open('/account/')).status).toBe(302)

      const revoke = /name="revoke" value="(\d+)"/.exec(text)?.[1] ?? ''
      expect(await visitor.post(pathOf(user), { revoke })).toMatchObject({ status: 302 })
      expect(await user.call(listApiTokens, {})).toMatchObject({ api_tokens: [] })
      const headers = { authorization: `Bearer ${token}` }
      expect((await other.anonymous.send(getOwnUser, {}, { headers })).status).toBe(401)
    })

    test('are changed by forms of the own pages alone', async () => {
      const user = await other.createUser()
      const theirs = await visitorOf(user)
      await visitor.open(pathOf(user))
      const fields = { action: 'end-sessions' }

      const refused = [
        await visitor.post(pathOf(user), { ...fields, csrfmiddlewaretoken: '' }),
        await visitor.post(pathOf(user), fields, { origin: 'https://evil.example' }),
        await visitor.post(pathOf(user), {
          ...{ action: 'deactivate', password: passwordOf(emailOf(administrator)) },
          csrfmiddlewaretoken: theirs.token,
        }),
      ]

      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403])
      expect((await theirs.open('/account/')).status).toBe(200)
    })

    test('are not changed by an administrator who loses the role meanwhile', async () => {
      const [user, former] = [await other.createUser(), await other.createUser({ role: Role.administrator })]
      const browser = await visitorOf(former)
      await browser.open(pathOf(user))
      const lock = await holdAccountLock(product(), former.userId)
      const demoted = other.owner.call(updateUser, { user_id: former.userId, role: Role.member })
      await lock.waitForWaiters(1)

      const change = browser.post(pathOf(user), {
        ...{ action: 'deactivate', password: passwordOf(emailOf(former)) },
      })
      await lock.waitForWaiters(2)
      await lock.release()
      await demoted

      expect(await change).toMatchObject({ status: 302, location: '/account/' })
      expect((await recordOf(user)).is_active).toBe(true)
    })
  })

  describe('users in a real browser', () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await openBrowser()
    })
    afterAll(() => browser.close(), 60_000)

    test.each([
      ['light', true],
      ['dark', false],
    ] as const)(
      'are found and deactivated on a small %s screen, with scripts: %s',
      async (colorScheme, javaScriptEnabled) => {
        const user = await product().createUser(`Quentin ${colorScheme}`)
        const email = emailOf(await product().createUser(undefined, { role: Role.administrator }))
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
        await page.getByLabel('Name or address').fill(`quen ${colorScheme}`)
        await page.getByRole('button', { name: 'Find users' }).click()
        await page.getByRole('heading', { name: 'Active users' }).waitFor()
        await check()
        await page.getByRole('link', { name: `Quentin ${colorScheme}` }).click()
        await page.getByRole('heading', { name: `Quentin ${colorScheme}` }).waitFor()
        await check()
        await page.getByLabel('Your password, to change anything').fill('wrong')
        await page.getByRole('button', { name: 'Deactivate' }).click()
        await page.locator('[aria-invalid=true]').waitFor()
        await check()
        await page.getByLabel('Your password, to change anything').fill(passwordOf(email))
        await page.getByRole('button', { name: 'Deactivate' }).click()
        await page.getByRole('button', { name: 'Reactivate' }).waitFor()
        await check()
        expect((await user.send(getOwnUser, {})).status).toBe(401)
        await context.close()
      },
      60_000,
    )
  })
}
