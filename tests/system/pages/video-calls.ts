import { endpoints } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { violationsOn } from '../support/accessibility.ts'
import { refusal, success } from '../support/answers.ts'
import type { CallServer } from '../support/call-server.ts'
import { newUsers } from '../support/users-and-channels.ts'

const { createBigBlueButtonCall, updateRealm } = endpoints.realm
const { register } = endpoints.events
const BIG_BLUE_BUTTON = 4

interface Stage {
  readonly system: () => TestSystem
  readonly callServer: () => CallServer
  /** Opens a page in a fresh browser context. */
  readonly open: (url: string) => Promise<Page>
}

export const videoCallTests = ({ system, callServer, open }: Stage): void => {
  let ann: ApiClient
  beforeAll(async () => {
    ;[ann] = await newUsers(system(), 1)
  })
  afterEach(() => {
    callServer().endMeetings()
    callServer().changeSecret(callServer().secret)
  })
  const newCall = async (meeting_name = 'Garden & <tools>', voice_only = false): Promise<string> => {
    const { url } = await ann.call(createBigBlueButtonCall, { meeting_name, voice_only })
    return `${system().baseUrl}${url}`
  }
  const join = async (page: Page, name: string): Promise<void> => {
    await page.getByLabel('Your name').fill(name)
    await page.getByRole('button', { name: 'Join the call' }).click()
  }
  const submit = (url: string, full_name: string) => {
    const bigbluebutton = new URL(url).searchParams.get('bigbluebutton') ?? ''
    const body = new URLSearchParams({ bigbluebutton, full_name })
    return fetch(`${system().baseUrl}/calls/bigbluebutton/join`, { method: 'POST', body })
  }

  describe('a video call with BigBlueButton', () => {
    test('is joined from a link in a message, by any user, as a moderator', async () => {
      const url = await newCall()
      const link = url.slice(system().baseUrl.length)
      const { rendered } = await ann.call(endpoints.messaging.renderMessage, {
        content: `[Join video call.](${link})`,
      })
      expect(rendered).toContain(`<a href="${link}">Join video call.</a>`)
      expect(callServer().meetings.size).toBe(0)

      const page = await open(url)
      await page.getByRole('heading', { name: 'Garden & <tools>' }).waitFor()
      expect(await violationsOn(page)).toEqual([])
      await join(page, 'Zoë & Co')
      await page.getByRole('heading', { name: 'Zoë & Co is in Garden & <tools> as MODERATOR' }).waitFor()

      const other = await open(url)
      await join(other, 'Ben')
      await other.getByRole('heading', { name: 'Ben is in Garden & <tools> as MODERATOR' }).waitFor()
      expect([...callServer().meetings.values()]).toMatchObject([{ isVoiceOnly: false }])
      for (const each of [page, other]) await each.context().close()
    })

    test('starts again by the same link once everybody has left', async () => {
      const url = await newCall()
      expect((await submit(url, 'Ann')).status).toBe(200)
      const [first] = callServer().meetings.values()
      callServer().endMeetings()

      const page = await open(url)
      await join(page, 'Ann')
      await page.getByRole('heading', { name: 'Ann is in Garden & <tools>' }).waitFor()

      const [second] = callServer().meetings.values()
      expect(second?.createTime).not.toBe(first?.createTime)
      await page.context().close()
    })

    test('without video has cameras off, and nobody can turn them on', async () => {
      const page = await open(await newCall('by ear', true))
      await join(page, 'Ann')

      await page.getByRole('heading', { name: 'Ann is in by ear as VIEWER' }).waitFor()
      expect([...callServer().meetings.values()]).toMatchObject([{ isVoiceOnly: true }])
      await page.context().close()
    })

    test('explains what is wrong with a name', async () => {
      const url = await newCall()
      for (const name of ['', '  ', 'x'.repeat(101)]) {
        const answer = await submit(url, name)
        expect(answer.status).toBe(400)
        expect(await answer.text()).toContain('aria-invalid')
      }
      expect(callServer().meetings.size).toBe(0)
    })

    test('reports when the call server rejects it, and keeps the name', async () => {
      const page = await open(await newCall())
      callServer().changeSecret('another secret')
      await join(page, 'Ann')

      await page.getByRole('alert').waitFor()
      expect(await page.getByLabel('Your name').inputValue()).toBe('Ann')
      expect(await violationsOn(page)).toEqual([])
      callServer().changeSecret(callServer().secret)
      await join(page, 'Ann')
      await page.getByRole('heading', { name: 'Ann is in' }).waitFor()
      await page.context().close()
    })

    test('has a link that cannot be forged, and works at its organization only', async () => {
      const url = await newCall()
      const other = await system().createOrganization('calls')
      const elsewhere = other.anonymous.fetch(url.slice(system().baseUrl.length))
      const broken = url.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A'))

      expect((await elsewhere).status).toBe(404)
      for (const wrong of [broken, url.replace(/\?.*/, ''), url.replace(/\?.*/, '?bigbluebutton=x.y')]) {
        expect((await fetch(wrong)).status).toBe(404)
        expect((await submit(wrong, 'Ann')).status).toBe(404)
      }
      expect(callServer().meetings.size).toBe(0)
    })

    test('needs a name of two characters, and a user', async () => {
      const create = (meeting_name: string, client = ann) =>
        client.send(createBigBlueButtonCall, { meeting_name })

      for (const name of ['', ' x '])
        expect(await create(name)).toMatchObject(refusal('BAD_REQUEST', { msg: expect.stringMatching(/2/) }))
      expect(await create('x'.repeat(300))).toMatchObject(success({ url: expect.any(String) }))
      expect(await create('a call', system().anonymous)).toMatchObject(refusal('UNAUTHORIZED', {}, 401))
    })

    test('can be the default of an organization', async () => {
      const { owner } = system()
      const state = await ann.call(register, { fetch_event_types: ['realm'] })
      expect(state).toMatchObject({
        realm_available_video_chat_providers: {
          big_blue_button: { id: BIG_BLUE_BUTTON, name: 'BigBlueButton' },
        },
      })

      await owner.call(updateRealm, { video_chat_provider: BIG_BLUE_BUTTON })
      expect(await ann.call(register, { fetch_event_types: ['realm'] })).toMatchObject({
        realm_video_chat_provider: BIG_BLUE_BUTTON,
      })
      await owner.call(updateRealm, { video_chat_provider: 1 })
    })
  })
}
