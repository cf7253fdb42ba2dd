import { endpoints } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violationsOn } from '../support/accessibility.ts'
import { openBrowser } from '../support/browser.ts'
import { passwordOf } from '../support/other-organization.ts'
import { emailOf, newVisitor, Visitor } from '../support/visitor.ts'

const { addAndroidDevice, listPushDevices, updateSettings } = endpoints.users

const PATH = '/account/notifications/'

/** The settings of a user that begin with `quiet`, as clients register them. */
async function quietOf(user: ApiClient): Promise<Record<string, unknown>> {
  const state = await user.call(endpoints.events.register, { fetch_event_types: ['user_settings'] })
  const settings = (state as unknown as { user_settings: Record<string, unknown> }).user_settings
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name.startsWith('quiet')))
}

export function accountNotificationsTests(product: () => TestSystem): void {
  describe('the page of notifications', () => {
    test('shows own devices, and removes one, and none of others', async () => {
      const { user, visitor } = await newVisitor(product())
      const { user: other } = await newVisitor(product())
      for (const [owner, token] of [
        [user, 'token of a phone <1>'],
        [user, 'token of a tablet'],
        [other, 'token of somebody else'],
      ] as const)
        await owner.call(addAndroidDevice, { token })
      const idsOf = async (one: ApiClient) =>
        (await one.call(listPushDevices, {})).push_devices.map(({ id }) => String(id))
      const [[first = '', second = ''], [foreign = '']] = [await idsOf(user), await idsOf(other)]

      expect((await visitor.open('/account/')).text).toContain(`href="${PATH}"`)
      const { text } = await visitor.open(PATH)
      expect(text).toContain('Android device')
      expect(text).toContain('e &lt;1&gt;')
      expect(text).not.toContain(`value="${foreign}"`)
      for (const remove of [first, first, foreign, 'x'])
        expect(await visitor.post('/account/devices/', { remove })).toMatchObject({
          ...{ status: 302, location: `${PATH}#devices` },
        })
      expect([await idsOf(user), await idsOf(other)]).toEqual([[second], [foreign]])
    })

    test('saves quiet hours, and says what is wrong with them', async () => {
      const { user, visitor } = await newVisitor(product())
      await user.call(updateSettings, { timezone: 'Asia/Kolkata' })
      expect((await visitor.open(PATH)).text).toContain('In the time zone Asia/Kolkata')
      const days = { from_monday: 'true', from_friday: 'true', whole_sunday: 'true' }

      const wrong = await visitor.post('/account/quiet_hours/', { ...days, enabled: 'true', start: '25:00' })
      expect(wrong.text).toContain('Choose when quiet hours begin and end.')
      expect(wrong.text).toContain('name="whole_sunday" value="true" checked')
      expect(await quietOf(user)).toMatchObject({ quiet_hours_enabled: false, quiet_hours_days: 127 })

      const never = await visitor.post('/account/quiet_hours/', {
        enabled: 'true',
        start: '20:15',
        end: '06:30',
      })
      expect(never.text).toContain('Choose the days of quiet times.')

      const form = { ...days, enabled: 'true', start: '20:15', end: '06:30' }
      const saved = await visitor.post('/account/quiet_hours/', form)
      expect(saved).toMatchObject({ status: 302, location: `${PATH}#hours` })
      expect(await quietOf(user)).toMatchObject({
        ...{ quiet_hours_enabled: true, quiet_hours_start: 1_215, quiet_hours_end: 390 },
        ...{ quiet_hours_days: 17, quiet_whole_days: 64 },
      })
      const { text } = await visitor.open(PATH)
      expect(text).toContain('name="start" type="time" value="20:15"')
      await visitor.post('/account/quiet_hours/', { start: '20:15', end: '06:30' })
      expect(await quietOf(user)).toMatchObject({ quiet_hours_enabled: false, quiet_hours_days: 0 })
    })

    test('begins quiet for a while, and ends it', async () => {
      const { user, visitor } = await newVisitor(product())
      await visitor.open(PATH)
      for (const minutes of ['', '-1', '1.5', '200000'])
        expect((await visitor.post('/account/snooze/', { minutes })).text).toContain('Choose for how long.')
      expect(await quietOf(user)).toMatchObject({ quiet_until: 0 })
      await visitor.post('/account/snooze/', { minutes: '60' })
      const { quiet_until: until } = await quietOf(user)
      expect(Math.abs(Number(until) - Date.now() / 1_000 - 3_600)).toBeLessThan(60)
      expect((await visitor.open(PATH)).text).toMatch(/Quiet until .* \(UTC\)/)
      const empty = await visitor.post('/account/snooze/', { minutes: '' })
      expect(empty.text).toContain('Choose for how long.')
      expect(await quietOf(user)).toMatchObject({ quiet_until: until })
      await visitor.post('/account/snooze/', { minutes: '0' })
      expect(await quietOf(user)).toMatchObject({ quiet_until: 0 })
      expect((await visitor.open(PATH)).text).not.toContain('Quiet until')
    })

    test('leads others to the log-in page, and refuses foreign forms', async () => {
      const anonymous = new Visitor(product())
      expect((await anonymous.open(PATH)).location).toContain(encodeURIComponent(PATH))
      const { user, visitor } = await newVisitor(product())
      await visitor.open(PATH)
      const refused = [
        await visitor.post('/account/snooze/', { minutes: '60', csrfmiddlewaretoken: '' }),
        await visitor.post(
          '/account/quiet_hours/',
          { start: '01:00', end: '02:00' },
          { origin: 'https://evil.example' },
        ),
        await visitor.post('/account/devices/', { remove: '1' }, { origin: 'https://evil.example' }),
      ]
      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403])
      expect(await quietOf(user)).toMatchObject({ quiet_until: 0, quiet_hours_end: 420 })
    })

    describe('in a real browser', () => {
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
        'works on a small %s screen, with scripts: %s',
        async (colorScheme, javaScriptEnabled) => {
          const user = await product().createUser()
          await user.call(addAndroidDevice, { token: 'token of a phone' })
          const email = emailOf(user)
          const context = await browser.newContext({
            ...{ colorScheme, javaScriptEnabled, viewport: { width: 320, height: 640 }, bypassCSP: true },
          })
          const page = await context.newPage()
          await page.goto(new URL(PATH, product().baseUrl).href)
          await page.getByLabel('E-mail address').fill(email)
          await page.getByLabel('Password', { exact: true }).fill(passwordOf(email))
          await page.getByRole('button', { name: 'Log in', exact: true }).click()
          await page.getByRole('heading', { name: 'Notifications', exact: true }).waitFor()
          if (javaScriptEnabled) {
            const overflow = await page.evaluate(
              () => document.documentElement.scrollWidth - window.innerWidth,
            )
            expect([await violationsOn(page), overflow]).toEqual([[], 0])
          }
          await page.getByLabel('Have quiet times each week').check()
          await page.getByLabel('From', { exact: true }).fill('21:00')
          await page.getByRole('group', { name: 'Quiet all day on' }).getByLabel('Sunday').check()
          await page.getByRole('button', { name: 'Save quiet times' }).click()
          await page.waitForURL('**#hours')
          await page.getByRole('button', { name: 'Remove Android device' }).click()
          await page.getByText('There are none.').waitFor()
          await page.getByRole('button', { name: 'Be quiet' }).click()
          await page.getByText('Quiet until').waitFor()
          expect(await quietOf(user)).toMatchObject({
            ...{ quiet_hours_enabled: true, quiet_hours_start: 1_260, quiet_whole_days: 64 },
          })
          await context.close()
        },
        60_000,
      )
    })
  })
}
