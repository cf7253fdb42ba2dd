import { endpoints, isDefaultable, settingDefinitions } from '@tms/contracts'
import { type ApiClient, registerQueue, type TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountEventsOf } from '../support/account-events.ts'
import { refusal, success } from '../support/answers.ts'
import { newUsers } from '../support/users-and-channels.ts'
import { stopWatching, watch } from '../support/watch.ts'

const { getOwnUser, updateSettingDefaults, updateSettings } = endpoints.users
const standard = Object.fromEntries(
  settingDefinitions.filter(([name]) => isDefaultable(name)).map(([name, one]) => [name, one.default]),
)

export const settingDefaultTests = (system: () => TestSystem): void => {
  let owner: ApiClient
  let member: ApiClient
  beforeAll(async () => {
    owner = system().owner
    ;[member] = await newUsers(system(), 1)
    await owner.call(updateSettingDefaults, standard)
  })
  const stateOf = async (client: ApiClient) => (await registerQueue(client)).state
  const change = (fields: Record<string, string>, client = owner) =>
    client.request('PATCH', '/realm/user_settings_defaults', Object.entries(fields))

  describe('PATCH /realm/user_settings_defaults', () => {
    afterAll(() => owner.call(updateSettingDefaults, standard))

    test('is delivered to everyone, and in the register state from then on', async () => {
      const event_types = ['alert_words', 'realm_user_settings_defaults', 'user_settings']
      const watchers = [await watch(owner, { event_types }), await watch(member, { event_types })]

      const delivered = await accountEventsOf(watchers, async () => {
        expect(await change({ color_scheme: '2', dense_mode: 'true', notification_sound: 'ding' })).toEqual(
          expect.objectContaining({ body: { result: 'success', msg: '' } }),
        )
        await change({ color_scheme: '2' })
      })

      const update = { type: 'realm_user_settings_defaults', op: 'update', id: expect.any(Number) }
      for (const events of delivered)
        expect(events).toEqual([
          { ...update, property: 'color_scheme', value: 2 },
          { ...update, property: 'notification_sound', value: 'ding' },
        ])
      expect((await stateOf(member))['realm_user_settings_defaults']).toMatchObject({
        color_scheme: 2,
        notification_sound: 'ding',
        dense_mode: true,
        available_notification_sounds: expect.arrayContaining(['ding']),
        emojiset_choices: expect.any(Array),
      })
      await stopWatching(watchers)
    })

    test('applies to accounts that are created later, not to earlier ones', async () => {
      await change({ color_scheme: '3', web_font_size_px: '20', automatically_follow_topics_policy: '4' })
      const later = await system().createUser()
      await change({ color_scheme: '1', web_font_size_px: '14', automatically_follow_topics_policy: '3' })
      const last = await system().createUser()

      const settingsOf = async (client: ApiClient) => (await stateOf(client))['user_settings']
      const chosen = { color_scheme: 3, web_font_size_px: 20, automatically_follow_topics_policy: 4 }
      expect(await settingsOf(later)).toMatchObject(chosen)
      expect(await settingsOf(last)).toMatchObject({ color_scheme: 1, web_font_size_px: 14 })
      expect(await settingsOf(member)).toMatchObject({ color_scheme: 1, web_font_size_px: 14 })
      await later.call(updateSettings, { color_scheme: 1 })
      expect(await settingsOf(later)).toMatchObject({ ...chosen, color_scheme: 1 })
    })

    test('sets the address visibility of later accounts', async () => {
      const watcher = await watch(member, { event_types: ['realm_user'] })
      await change({ email_address_visibility: '4' })

      const later = await system().createUser()

      const email = `user${later.userId}@${new URL(system().baseUrl).hostname}`
      expect(await later.call(getOwnUser, {})).toMatchObject({ email, delivery_email: later.email })
      const person = { user_id: later.userId, email, delivery_email: null }
      expect(await watcher.queue.waitFor(({ op }) => op === 'add', 'the new user')).toMatchObject({ person })
      await change({ email_address_visibility: '1' })
      await stopWatching([watcher])
    })

    test.each([
      'full_name',
      'email',
      'new_password',
      'timezone',
      'allow_private_data_export',
      'default_language',
      'enable_login_emails',
      'enable_marketing_emails',
    ])('ignores %s', async (name) => {
      expect(await change({ [name]: 'true' })).toMatchObject(
        success({ ignored_parameters_unsupported: [name] }),
      )
    })

    test('leaves the language to the organization, which new accounts start with', async () => {
      const languageOf = async (client: ApiClient) => {
        const settings = (await stateOf(client))['user_settings'] as { default_language: string }
        return settings.default_language
      }
      for (const default_language of ['de', 'en'] as const) {
        await owner.call(endpoints.realm.updateRealm, { default_language })
        expect(await languageOf(await system().createUser())).toBe(default_language)
        expect(await languageOf(member)).toBe('en')
      }
      expect(await owner.request('PATCH', '/realm', [['default_language', 'xx']])).toMatchObject(
        refusal('BAD_REQUEST'),
      )
    })

    test('takes the newer name of a home view', async () => {
      expect(await change({ web_home_view: 'recent' })).toMatchObject(success())

      expect((await stateOf(member))['realm_user_settings_defaults']).toMatchObject({
        web_home_view: 'recent_topics',
      })
      await change({ web_home_view: 'inbox' })
    })

    test('accepts every other setting', async () => {
      const answer = await owner.send(updateSettingDefaults, standard)

      expect(answer.body).toEqual({ result: 'success', msg: '' })
    })

    test.each([
      ['color_scheme', '4'],
      ['email_address_visibility', '0'],
      ['enter_sends', '1'],
      ['notification_sound', 'bang'],
    ])('rejects %s=%s, and changes nothing', async (name, value) => {
      const answer = await change({ enter_sends: 'true', [name]: value })

      expect(answer).toMatchObject(refusal('BAD_REQUEST'))
      expect((await stateOf(member))['realm_user_settings_defaults']).toMatchObject({ enter_sends: false })
    })

    test('requires an administrator', async () => {
      expect(await change({ enter_sends: 'true' }, member)).toMatchObject(refusal('UNAUTHORIZED_PRINCIPAL'))
    })

    test('keeps all of several concurrent changes', async () => {
      const names = ['enter_sends', 'left_side_userlist', 'high_contrast_mode', 'translate_emoticons']

      await Promise.all(names.map((name) => change({ [name]: 'true' })))

      expect((await stateOf(member))['realm_user_settings_defaults']).toMatchObject(
        Object.fromEntries(names.map((name) => [name, true])),
      )
    })
  })
}
