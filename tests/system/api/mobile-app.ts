import { endpoints } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { answerFields, ownSnapshotFields, snapshotFields } from '../support/mobile-fields.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'

/** The oldest level with which the app does not say that the server is too old; with older ones it logs accounts out. */
const OLDEST_LEVEL = 371

/** The request of the app when it starts. */
const START = {
  apply_markdown: true,
  client_gravatar: false,
  slim_presence: true,
  idle_queue_timeout: 'mobile',
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: true,
    user_settings_object: true,
    include_deactivated_groups: true,
    empty_topic_name: true,
  },
}

export const mobileAppTests = (system: () => TestSystem): void => {
  describe('the official mobile app', () => {
    let ann: ApiClient
    beforeAll(async () => {
      const members = await newUsers(system(), 3)
      const [, ben, cas] = members
      ann = members[0]
      const { name, id } = await newChannel(ann, { others: [ben] })
      // Creates an item for each list of the state.
      await sendToChannel(ben, name, `@**all** hello`)
      await sendDirectly(ben, [ann])
      await sendDirectly(ben, [ann, cas])
      await ann.call(endpoints.messaging.updateUserTopic, {
        stream_id: id,
        topic: 'a topic',
        visibility_policy: 3,
      })
      await ann.call(endpoints.users.muteUser, { muted_user_id: cas.userId })
      await ann.call(endpoints.users.addAlertWords, { alert_words: ['fire'] })
      await ann.call(endpoints.users.createSavedSnippet, { title: 'hi', content: 'hello' })
      await ann.request('POST', '/users/me/status', [['status_text', 'there']])
      await ann.request('POST', '/users/me/presence', [['status', 'active']])
    })

    test('gets a supported API level, before it signs in and after', async () => {
      const settings = await system().anonymous.call(endpoints.realm.getServerSettings, {})
      const state = await ann.call(endpoints.events.register, { event_types: [] })

      expect(settings.zulip_feature_level).toBeGreaterThanOrEqual(OLDEST_LEVEL)
      expect(state.zulip_feature_level).toBe(settings.zulip_feature_level)
    })

    test('can parse the server settings of an organization', async () => {
      const { body } = await system().anonymous.request('GET', '/server_settings')

      const [, fields] = answerFields.find(([call]) => call.test('GET /api/v1/server_settings')) ?? []
      const ofOrganization = z.looseObject({
        realm_name: z.string(),
        realm_icon: z.string(),
        realm_description: z.string(),
      })
      expect(fields?.safeParse(body).error?.issues ?? []).toEqual([])
      expect(ofOrganization.safeParse(body).error?.issues ?? []).toEqual([])
    })

    test('can parse the whole initial state', async () => {
      const fields = Object.entries(START).map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ])

      const { status, body } = await ann.request('POST', '/register', fields)

      const all = z.looseObject({ ...snapshotFields, ...ownSnapshotFields })
      expect(status).toBe(200)
      expect(all.safeParse(body).error?.issues ?? []).toEqual([])
      const { subscriptions, unread_msgs, user_topics, muted_users, presences } = body as Record<
        string,
        object
      >
      for (const list of [subscriptions, user_topics, muted_users, presences])
        expect(Object.keys(list ?? {})).not.toEqual([])
      expect(unread_msgs).toMatchObject({
        pms: [{}],
        huddles: [{}],
        streams: [{}],
        mentions: [expect.any(Number)],
      })
    })
  })
}
