import { endpoints, Role } from '@tms/contracts'
import { type ApiClient, type ClientEvent, registerQueue, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { onePixel } from '../support/pictures.ts'
import { newUserOfRole, newUsers } from '../support/users-and-channels.ts'
import { stopWatching, type Watcher, watch } from '../support/watch.ts'

const { getStatus, updateSettings, updateStatus } = endpoints.users
const car = { emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji' } as const
let marks = 0

export const statusTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let watcher: Watcher
  beforeAll(async () => {
    ;[ann, ben] = await newUsers(system(), 2)
    watcher = await watch(ben, { event_types: ['user_status', 'user_settings'] })
  })
  afterAll(() => stopWatching([watcher]))

  const statusOf = async (client: ApiClient, viewer = ben) =>
    (await viewer.call(getStatus, { user_id: client.userId })).status
  const stateOf = async (viewer: ApiClient) =>
    (await registerQueue(viewer, { fetch_event_types: ['user_status'] })).state['user_status']
  /** Ben's status events between two changes of his own setting: events of one service keep their order. */
  const eventsDuring = async (act: () => Promise<unknown>): Promise<ClientEvent[]> => {
    const isMark = ({ property }: ClientEvent) => property === 'web_line_height_percent'
    const mark = async () => {
      await ben.call(updateSettings, { web_line_height_percent: 100 + ++marks })
      await watcher.queue.until(() => watcher.queue.events.filter(isMark).length === marks, 'the mark')
      return watcher.queue.events.length
    }
    const from = await mark()
    await act()
    await mark()
    return watcher.queue.events.slice(from).filter(({ type }) => type === 'user_status')
  }

  describe('a status', () => {
    test('is visible to everyone until it is cleared', async () => {
      const events = await eventsDuring(async () => {
        await ann.call(updateStatus, { status_text: ' on the road ', emoji_name: 'car' })
        expect(await statusOf(ann)).toEqual({ status_text: 'on the road', ...car })
        await ann.call(updateStatus, { status_text: '' })
        expect(await statusOf(ann)).toEqual(car)
        await ann.call(updateStatus, { emoji_name: '' })
        expect(await statusOf(ann)).toEqual({})
      })

      const user_id = ann.userId
      expect(events).toMatchObject([
        { user_id, status_text: 'on the road', ...car },
        { user_id, status_text: '' },
        { user_id, emoji_name: '', emoji_code: '' },
      ])
      expect(events[1]).not.toHaveProperty('emoji_name')
    })

    test('that does not change is not delivered', async () => {
      await ann.call(updateStatus, { status_text: 'the same', emoji_name: 'car' })

      expect(
        await eventsDuring(() => ann.call(updateStatus, { status_text: 'the same', emoji_name: 'car' })),
      ).toEqual([])
      await ann.call(updateStatus, { status_text: '', emoji_name: '' })
    })

    test('is in the register state if it is set', async () => {
      await ann.call(updateStatus, { status_text: 'here', emoji_name: 'car' })

      expect(await stateOf(ben)).toMatchObject({ [ann.userId]: { status_text: 'here', ...car } })
      expect(await stateOf(ben)).not.toHaveProperty(String(ben.userId))
      await ann.call(updateStatus, { status_text: '', emoji_name: '' })
      expect(await stateOf(ben)).not.toHaveProperty(String(ann.userId))
    })

    test('can say that the user is away, which is the setting that hides presence', async () => {
      const user_id = ann.userId

      expect(
        await eventsDuring(() => ann.call(updateStatus, { away: true, status_text: 'off' })),
      ).toMatchObject([
        { user_id, away: true },
        { user_id, status_text: 'off' },
      ])
      expect(await statusOf(ann)).toEqual({ away: true, status_text: 'off' })
      const { state } = await registerQueue(ann, {
        fetch_event_types: ['user_settings'],
        client_capabilities: { notification_settings_null: true, user_settings_object: true },
      })
      expect(state['user_settings']).toMatchObject({ presence_enabled: false })

      expect(await eventsDuring(() => ann.call(updateSettings, { presence_enabled: true }))).toMatchObject([
        { user_id, away: false },
      ])
      await ann.call(updateStatus, { status_text: '' })
      expect(await statusOf(ann)).toEqual({})
    })

    test('can have a custom emoji', async () => {
      const { owner } = system()
      await owner.uploadTo('/api/v1/realm/emoji/lunch', {
        name: 'x.png',
        content: onePixel,
        type: 'image/png',
      })

      expect(await ann.send(updateStatus, { emoji_name: 'lunch' })).toMatchObject(success())
      expect(await statusOf(ann)).toMatchObject({ emoji_name: 'lunch', reaction_type: 'realm_emoji' })
      await owner.call(endpoints.realm.deactivateCustomEmoji, { emoji_name: 'lunch' })
      expect(await ben.send(updateStatus, { emoji_name: 'lunch' })).toMatchObject(refusal('BAD_REQUEST'))
      // Existing uses remain.
      expect(await statusOf(ann)).toMatchObject({ emoji_name: 'lunch' })
      await ann.call(updateStatus, { emoji_name: '' })
    })

    test('can have an emoji under a name that only its client knows, and shows the canonical one', async () => {
      await ann.call(updateStatus, { emoji_name: 'no_such_emoji', emoji_code: '1f697' })

      expect(await statusOf(ann)).toEqual(car)
      await ann.call(updateStatus, { emoji_name: '' })
    })

    test.each(Object.entries(Role))('is available to every role, such as %s', async (_, role) => {
      const user = await newUserOfRole(system(), role)

      expect(await user.send(updateStatus, { status_text: 'hello' })).toMatchObject(success())
      expect(await statusOf(user, user)).toEqual({ status_text: 'hello' })
    })

    test.each<[string, Record<string, string>]>([
      ['nothing', {}],
      ['a text of 61 characters', { status_text: 'x'.repeat(61) }],
      ['a text with NUL', { status_text: 'a\0b' }],
      ['an unknown emoji', { emoji_name: 'no_such_emoji' }],
      ['a code without a name', { emoji_code: '1f697' }],
      ['a type without a name', { reaction_type: 'unicode_emoji' }],
      ['a name of another emoji', { emoji_name: 'car', emoji_code: '1f389' }],
      ['an unknown type', { emoji_name: 'car', reaction_type: 'sticker' }],
      ['an `away` that is no truth', { away: 'yes' }],
    ])('rejects %s', async (_, fields) => {
      const answer = await ann.request('POST', '/users/me/status', Object.entries(fields))

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect(await statusOf(ann)).toEqual({})
    })

    test('of an unknown user is rejected', async () => {
      for (const user_id of [999_999, 2 ** 31])
        expect(await ann.send(getStatus, { user_id })).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('applies two concurrent changes', async () => {
      await Promise.all([
        ...Array.from({ length: 5 }, (_, i) => ann.call(updateStatus, { status_text: `text ${i}` })),
        ...['car', 'tada'].map((emoji_name) => ann.call(updateStatus, { emoji_name })),
      ])

      expect(await statusOf(ann)).toEqual({
        status_text: expect.stringMatching(/^text \d$/),
        emoji_name: expect.stringMatching(/^(car|tada)$/),
        emoji_code: expect.any(String),
        reaction_type: 'unicode_emoji',
      })
      await ann.call(updateStatus, { status_text: '', emoji_name: '' })
    })
  })
}
