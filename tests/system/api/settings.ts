import { endpoints, Role } from '@tms/contracts'
import { type ApiClient, type ClientEvent, registerQueue, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'
import { stopWatching, type Watcher, watch } from '../support/watch.ts'

const { addAlertWords, getUser, listAlertWords, muteUser, removeAlertWords, unmuteUser, updateSettings } =
  endpoints.users
const { getMessages, sendMessage } = endpoints.messaging

const TYPES = [
  'alert_words',
  'muted_users',
  'realm_user',
  'update_display_settings',
  'update_global_notifications',
  'user_settings',
]
const withSettingsObject = { notification_settings_null: true, user_settings_object: true }
let marks = 0

export const settingTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  /** Ann with a present client, Ann with an older one, and Ben. */
  let watchers: Watcher[]
  beforeAll(async () => {
    ;[ann, ben] = await newUsers(system(), 2)
    watchers = [
      await watch(ann, { event_types: TYPES, client_capabilities: withSettingsObject }),
      await watch(ann, { event_types: TYPES }),
      await watch(ben, { event_types: TYPES }),
    ]
  })
  afterAll(() => stopWatching(watchers))

  /** The events up to new alert words of the watchers: events of one service keep their order. */
  const eventsDuring = async (act: () => Promise<unknown>): Promise<ClientEvent[][]> => {
    const mark = async () => {
      const word = `mark ${++marks}`
      for (const client of [ann, ben]) await client.call(addAlertWords, { alert_words: [word] })
      for (const client of [ann, ben]) await client.call(removeAlertWords, { alert_words: [word] })
      const isMark = ({ type, alert_words }: ClientEvent) =>
        type === 'alert_words' && (alert_words as string[]).includes(word)
      await Promise.all(watchers.map(({ queue }) => queue.waitFor(isMark, word)))
      return watchers.map(({ queue }) => queue.events.findIndex(isMark))
    }
    const from = await mark()
    await act()
    const to = await mark()
    return watchers.map(({ queue }, index) =>
      // After the mark comes its removal.
      queue.events.slice((from[index] ?? 0) + 2, to[index]),
    )
  }
  const stateOf = async (client: ApiClient) => (await registerQueue(client)).state
  const change = (fields: Record<string, string>, client = ann) =>
    client.request('PATCH', '/settings', Object.entries(fields))

  describe('alert words', () => {
    beforeEach(async () => {
      const { alert_words } = await ann.call(listAlertWords, {})
      await ann.call(removeAlertWords, { alert_words })
    })

    test('are a set without regard to case that keeps the first spelling', async () => {
      const add = (alert_words: string[]) => ann.call(addAlertWords, { alert_words })

      expect((await add([' Deploy ', '', 'on call'])).alert_words).toEqual(['Deploy', 'on call'])
      expect((await add(['DEPLOY', 'straße'])).alert_words).toEqual(['Deploy', 'on call', 'straße'])
      expect((await ann.call(listAlertWords, {})).alert_words).toEqual(['Deploy', 'on call', 'straße'])
      const { alert_words } = await ann.call(removeAlertWords, { alert_words: ['ON CALL', 'unknown'] })
      expect(alert_words).toEqual(['Deploy', 'straße'])
      expect((await stateOf(ann))['alert_words']).toEqual(['Deploy', 'straße'])
    })

    test('are delivered in full to their user only, also if nothing changes', async () => {
      const [own, ownToo, bens] = await eventsDuring(async () => {
        await ann.call(addAlertWords, { alert_words: ['a'] })
        await ann.call(addAlertWords, { alert_words: ['A'] })
      })

      expect(own).toMatchObject(
        Array.from({ length: 2 }, () => ({ type: 'alert_words', alert_words: ['a'] })),
      )
      expect(ownToo).toEqual(own)
      expect(bens).toEqual([])
    })

    test('flag messages for their user', async () => {
      const { name } = await newChannel(ben, { others: [ann] })
      const isMarked = async (content: string) => {
        await sendToChannel(ben, name, content)
        const page = { anchor: 'newest', num_before: 1, num_after: 0 } as const
        const { messages } = await ann.call(getMessages, page)
        return messages[0]?.flags?.includes('has_alert_word') ?? false
      }
      await ann.call(addAlertWords, { alert_words: ['lighthouse'] })
      expect(await isMarked('to the Lighthouse!')).toBe(true)

      await ann.call(addAlertWords, { alert_words: ['waves'] })
      await ann.call(removeAlertWords, { alert_words: ['lighthouse'] })
      expect(await isMarked('to the Lighthouse!')).toBe(false)
      expect(await isMarked('The Waves')).toBe(true)
    })

    test.each<[string, string]>([
      ['a word of 101 characters', JSON.stringify(['x'.repeat(101)])],
      ['more than a thousand', JSON.stringify(Array.from({ length: 1_001 }, (_, i) => `w${i}`))],
      ['what is no list', '"word"'],
      ['numbers', '[1]'],
      ['NUL', '["\\u0000"]'],
    ])('reject %s', async (_, words) => {
      const answer = await ann.request('POST', '/users/me/alert_words', [['alert_words', words]])

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect((await ann.call(listAlertWords, {})).alert_words).toEqual([])
    })
  })

  describe('muting users', () => {
    const mute = (client: ApiClient, { userId }: ApiClient) =>
      client.send(muteUser, { muted_user_id: userId })
    const unmute = (client: ApiClient, { userId }: ApiClient) =>
      client.send(unmuteUser, { muted_user_id: userId })

    test('is delivered only to the muting user, with the full list', async () => {
      const muted = [{ id: ben.userId, timestamp: expect.any(Number) }]

      const [own, ownToo, bens] = await eventsDuring(async () => {
        expect(await mute(ann, ben)).toMatchObject(success())
        expect((await stateOf(ann))['muted_users']).toEqual(muted)
        expect(await unmute(ann, ben)).toMatchObject(success())
      })

      expect(own).toMatchObject([
        { type: 'muted_users', muted_users: muted },
        { type: 'muted_users', muted_users: [] },
      ])
      expect(ownToo).toEqual(own)
      expect(bens).toEqual([])
    })

    test('rejects the user themselves, unknown users, duplicates, and unmuting a user who is not muted', async () => {
      const nobody = { userId: 2 ** 31 } as ApiClient
      await mute(ann, ben)

      expect(await mute(ann, ben)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await mute(ann, ann)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await mute(ann, nobody)).toMatchObject(refusal('BAD_REQUEST'))
      expect(await unmute(ann, nobody)).toMatchObject(refusal('BAD_REQUEST'))
      await unmute(ann, ben)
      expect(await unmute(ann, ben)).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('marks the messages of the muted user as read, and no others', async () => {
      const [reader, noisy, other] = await newUsers(system(), 3)
      const { name } = await newChannel(reader, { others: [noisy, other] })
      const { name: left } = await newChannel(reader, { others: [noisy] })
      const ids = [
        await sendToChannel(noisy, name),
        await sendToChannel(noisy, name),
        await sendDirectly(noisy, [reader]),
        await sendDirectly(noisy, [reader, other]),
      ]
      const others = [await sendToChannel(other, name), await sendDirectly(other, [reader])]
      await sendToChannel(noisy, left)
      await reader.call(endpoints.messaging.unsubscribe, { subscriptions: [left] })
      const watcher = await watch(reader, { event_types: ['update_message_flags'] })

      await mute(reader, noisy)

      const event = await watcher.queue.waitFor(({ type }) => type === 'update_message_flags', 'the flags')
      expect(event).toMatchObject({ op: 'add', flag: 'read', all: false, messages: ids })
      const { unread_msgs } = await stateOf(reader)
      const byKind = unread_msgs as Record<string, { unread_message_ids: number[] }[]>
      const unread = ['pms', 'streams', 'huddles'].flatMap((kind) =>
        (byKind[kind] ?? []).flatMap(({ unread_message_ids }) => unread_message_ids),
      )
      expect(unread.sort((a, b) => a - b)).toEqual(others)
      await stopWatching([watcher])
    })

    test('marks later messages as read when they arrive', async () => {
      const [reader, noisy] = await newUsers(system(), 2)
      await mute(reader, noisy)

      const message_id = await sendDirectly(noisy, [reader])
      const { message } = await reader.call(endpoints.messaging.getMessage, { message_id })
      expect(message.flags).toContain('read')
    })
  })

  describe('PATCH /settings', () => {
    test.each(['5', '101', '14.5', '"14"'])('names the valid range for a font size of %s', async (size) => {
      expect(await change({ web_font_size_px: size })).toMatchObject(
        refusal('BAD_REQUEST', { msg: 'web_font_size_px must be an integer from 6 to 100' }),
      )
    })

    test('delivers each change to its user, to older clients by the older event too', async () => {
      await change({ enter_sends: 'false', default_language: 'en', notification_sound: 'zulip' })
      await change({ web_font_size_px: '14' })

      const [own, older, bens] = await eventsDuring(async () => {
        const fields = { enter_sends: 'true', default_language: 'de', web_font_size_px: '16' }
        expect(await change({ ...fields, notification_sound: 'none' })).toMatchObject(success())
      })

      const update = { type: 'user_settings', op: 'update' }
      const enterSends = { ...update, property: 'enter_sends', value: true }
      const language = { ...update, property: 'default_language', value: 'de', language_name: 'German' }
      const fontSize = { ...update, property: 'web_font_size_px', value: 16 }
      const sound = { ...update, property: 'notification_sound', value: 'none' }
      const user = ann.email
      expect(own).toHaveLength(4)
      for (const event of [enterSends, language, fontSize, sound])
        expect(own).toContainEqual(expect.objectContaining(event))
      expect(older).toHaveLength(7)
      for (const event of [
        { type: 'update_display_settings', user, setting_name: 'enter_sends', setting: true },
        {
          type: 'update_display_settings',
          user,
          setting_name: 'default_language',
          setting: 'de',
          language_name: 'German',
        },
        {
          type: 'update_global_notifications',
          user,
          notification_name: 'notification_sound',
          setting: 'none',
        },
      ])
        expect(older).toContainEqual(expect.objectContaining(event))
      expect(bens).toEqual([])
      expect((await stateOf(ann))['user_settings']).toMatchObject({
        enter_sends: true,
        default_language: 'de',
        web_font_size_px: 16,
        notification_sound: 'none',
      })
    })

    test('takes the newer name of a home view, and tells the one of the documented values', async () => {
      const [own, older, bens] = await eventsDuring(() => change({ web_home_view: 'recent' }))

      const value = 'recent_topics'
      expect(own).toMatchObject([{ type: 'user_settings', property: 'web_home_view', value }])
      expect(older).toContainEqual(expect.objectContaining({ setting_name: 'web_home_view', setting: value }))
      expect(bens).toEqual([])
      expect((await stateOf(ann))['user_settings']).toMatchObject({ web_home_view: value })
    })

    test('delivers nothing for unchanged values', async () => {
      await change({ color_scheme: '2' })

      const events = await eventsDuring(async () => {
        expect(await change({ color_scheme: '2' })).toMatchObject(success())
        expect(await change({})).toMatchObject(success())
      })

      expect(events).toEqual([[], [], []])
    })

    test('delivers a time zone to everyone, under its present name', async () => {
      await change({ timezone: 'UTC' })

      const [own, , bens] = await eventsDuring(() => change({ timezone: 'US/Pacific' }))

      const timezone = 'America/Los_Angeles'
      const person = { user_id: ann.userId, email: ann.email, timezone }
      expect(own).toMatchObject([
        { type: 'user_settings', op: 'update', property: 'timezone', value: timezone },
        { type: 'realm_user', op: 'update', person },
      ])
      expect(bens).toMatchObject([{ type: 'realm_user', op: 'update', person }])
      expect((await ben.call(getUser, { user_id: ann.userId })).user.timezone).toBe(timezone)
    })

    test('keeps what newer clients ask: time zones, AI features, consent to exports', async () => {
      const standard = {
        web_suggest_update_timezone: true,
        hide_ai_features: false,
        allow_private_data_export: false,
      }
      expect((await stateOf(ben))['user_settings']).toMatchObject(standard)

      const others = Object.fromEntries(Object.entries(standard).map(([name, value]) => [name, !value]))
      expect(await ben.send(updateSettings, others)).toMatchObject(success())
      expect((await stateOf(ben))['user_settings']).toMatchObject(others)
      await ben.call(updateSettings, standard)
    })

    test('lists unknown names', async () => {
      expect(await change({ dense_mode: 'true', full_color: 'true', color: '1' })).toMatchObject(
        success({ ignored_parameters_unsupported: ['color', 'full_color'] }),
      )
    })

    test.each<[string, string]>([
      ['color_scheme', '4'],
      ['color_scheme', '"2"'],
      ['enter_sends', '1'],
      ['enter_sends', 'True'],
      ['enter_sends', 'null'],
      ['emojiset', 'apple'],
      ['emojiset', '"google"'],
      ['default_language', 'xx'],
      ['default_language', 'DE'],
      ['notification_sound', 'bang'],
      ['web_home_view', 'home'],
      ['web_font_size_px', '1.5'],
      ['web_font_size_px', '0'],
      ['web_font_size_px', '101'],
      ['web_line_height_percent', '49'],
      ['web_line_height_percent', '501'],
      ['web_font_size_px', '9007199254740993'],
      ['email_notifications_batching_period_seconds', '0'],
      ['email_notifications_batching_period_seconds', '604801'],
      ['timezone', ''],
      ['timezone', 'Mars/Olympus'],
    ])('rejects %s=%s, and changes nothing', async (name, value) => {
      await change({ high_contrast_mode: 'false' })

      const answer = await change({ high_contrast_mode: 'true', [name]: value })

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect((await stateOf(ann))['user_settings']).toMatchObject({ high_contrast_mode: false })
    })

    test.each(Object.entries(Role))('accepts the role %s', async (name, role) => {
      const client = await system().createUser(`Settled ${name}`, { role })

      expect(await client.send(updateSettings, { enter_sends: true })).toMatchObject(success())
    })

    test('keeps all of many concurrent changes', async () => {
      const names = ['dense_mode', 'enable_sounds', 'send_read_receipts', 'enable_login_emails'] as const
      await Promise.all([
        ...names.map((name) => change({ [name]: 'false' }, ben)),
        ...names.map((word) => ben.call(addAlertWords, { alert_words: [word] })),
      ])

      const state = await stateOf(ben)
      expect(state['user_settings']).toMatchObject(Object.fromEntries(names.map((name) => [name, false])))
      expect((state['alert_words'] as string[]).sort()).toEqual([...names].sort())
    })

    test('applies to other services', async () => {
      await change({ automatically_follow_topics_policy: '4' }, ben)
      const { name } = await newChannel(ben)

      const to = { type: 'channel', to: name, topic: `topic ${++marks}`, content: 'x' } as const
      // By default a user who starts a topic follows it.
      expect(await ben.call(sendMessage, to)).not.toHaveProperty('automatic_new_visibility_policy')
    })
  })
}
