import { endpoints, oneTimeNotices } from '@tms/contracts'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newBotOf } from '../support/bots.ts'
import { newChannel, newUsers, sendToChannel } from '../support/users-and-channels.ts'

const { markOnboardingStep, runCommand } = endpoints.users
const { getPointer, updatePointer } = endpoints.messaging
const FIRST = 'intro_inbox_view_modal'
const OBJECTS = { notification_settings_null: false, user_settings_object: true }

/** What clients store on the server or request from it, beside messages and settings. */
export const clientActionTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let bot: ApiClient
  beforeAll(async () => {
    ;[ann, ben] = await newUsers(system(), 2)
    bot = await newBotOf(ann)
  })
  const namesOf = (steps: unknown) => (steps as { name: string }[] | undefined)?.map(({ name }) => name)
  const stepsOf = async (client: ApiClient) => {
    const state = await client.call(endpoints.events.register, { fetch_event_types: ['onboarding_steps'] })
    return namesOf((state as Record<string, unknown>)['onboarding_steps'])
  }

  describe('one-time notices', () => {
    test('remain until they were read, for all devices of one user', async () => {
      expect(await stepsOf(ann)).toEqual([...oneTimeNotices])
      const [anns, bens] = [
        (await registerQueue(ann, { event_types: ['onboarding_steps'] })).follow(),
        (await registerQueue(ben, { event_types: ['onboarding_steps'] })).follow(),
      ]
      const left = oneTimeNotices.filter((name) => name !== FIRST)

      expect(await ann.send(markOnboardingStep, { onboarding_step: FIRST })).toMatchObject(success())
      await anns.waitFor(
        ({ type, onboarding_steps }) =>
          type === 'onboarding_steps' && JSON.stringify(namesOf(onboarding_steps)) === JSON.stringify(left),
      )
      expect(await stepsOf(ann)).toEqual(left)
      expect(await stepsOf(ben)).toEqual([...oneTimeNotices])
      expect(await ann.send(markOnboardingStep, { onboarding_step: FIRST })).toMatchObject(success())
      expect(anns.events).toHaveLength(1)
      expect(bens.events).toEqual([])
      await Promise.all([anns.stop(), bens.stop()])
    })

    test('are all stored if they are read at once', async () => {
      await Promise.all(
        oneTimeNotices.map((onboarding_step) => ben.call(markOnboardingStep, { onboarding_step })),
      )

      expect(await stepsOf(ben)).toEqual([])
    })

    test('reject unknown names, and bots', async () => {
      for (const onboarding_step of ['nothing', '', 'constructor'])
        expect(await ann.send(markOnboardingStep, { onboarding_step })).toMatchObject(refusal('BAD_REQUEST'))
      expect(await bot.send(markOnboardingStep, { onboarding_step: FIRST })).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })
  })

  describe('POST /zcommand', () => {
    const run = (command: string, client = ann) => client.send(runCommand, { command })

    test('answers a ping with nothing, also from a bot', async () => {
      expect((await run('/ping')).body).toEqual({ result: 'success', msg: '' })
      expect(await run('/ping', bot)).toMatchObject(success())
    })

    test.each([
      ['/night', 'color_scheme', 2],
      ['/day', 'color_scheme', 3],
      ['/dark', 'color_scheme', 2],
      ['/light', 'color_scheme', 3],
      ['/fluid-width', 'fluid_layout_width', true],
      ['/fixed-width', 'fluid_layout_width', false],
    ])('%s sets %s to %s, which clients receive', async (command, property, value) => {
      const queue = (
        await registerQueue(ann, { event_types: ['user_settings'], client_capabilities: OBJECTS })
      ).follow()
      expect(await run(command)).toMatchObject(success())

      await queue.waitFor((event) => event['property'] === property && event['value'] === value)
      await queue.stop()
    })

    test('rejects an unknown command', async () => {
      for (const command of ['ping', '/unknown', '', '/', '/Ping'])
        expect(await run(command)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await run('/night', bot)).toMatchObject(refusal('BAD_REQUEST'))
    })
  })

  describe('the pointer of older clients', () => {
    const pointerOf = async (client: ApiClient) => (await client.call(getPointer, {})).pointer
    const move = (pointer: number, client = ann) => client.send(updatePointer, { pointer })

    test('is the last position of its user, and only increases', async () => {
      const channel = await newChannel(ann)
      const [first, second] = [await sendToChannel(ann, channel.name), await sendToChannel(ann, channel.name)]

      expect(await pointerOf(ann)).toBe(-1)
      expect(await move(second)).toMatchObject(success())
      expect(await pointerOf(ann)).toBe(second)
      expect(await move(first)).toMatchObject(success())
      expect(await pointerOf(ann)).toBe(second)
      expect(await pointerOf(ben)).toBe(-1)
    })

    test('rejects messages that its user cannot see, and unknown ones', async () => {
      const secret = await newChannel(ann, { isPrivate: true })
      const before = await pointerOf(ben)

      for (const pointer of [await sendToChannel(ann, secret.name), 0, -1, 2 ** 53 - 1])
        expect(await move(pointer, ben)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await pointerOf(ben)).toBe(before)
    })
  })

  test.each([
    ['POST', '/calls/zoom/create', 'is_video_call', 'true'],
    ['GET', '/calls/bigbluebutton/create', 'meeting_name', 'a meeting'],
  ])('%s %s fails, as on a server without it', async (method, path, name, value) => {
    expect(await ann.request(method, path, [[name, value]])).toMatchObject(
      refusal('BAD_REQUEST', { msg: expect.stringMatching(/configured/) }),
    )
  })

  test('there are no groups of default channels, and none can be created', async () => {
    const state = await ann.call(endpoints.events.register, { fetch_event_types: ['default_stream_groups'] })
    const { owner } = system()
    const fields: [string, string][] = [
      ['group_name', 'x'],
      ['description', ''],
      ['stream_names', '[]'],
      ['op', 'add'],
    ]

    expect(state).toMatchObject({ realm_default_stream_groups: [] })
    for (const [method, path] of [
      ['POST', '/default_stream_groups/create'],
      ['PATCH', '/default_stream_groups/1'],
      ['DELETE', '/default_stream_groups/1'],
      ['PATCH', '/default_stream_groups/1/streams'],
    ] as const) {
      expect(await owner.request(method, path, fields)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await ann.request(method, path, fields)).toMatchObject(refusal('UNAUTHORIZED_PRINCIPAL'))
    }
  })
}
