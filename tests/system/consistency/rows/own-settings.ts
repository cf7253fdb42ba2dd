import { type AnyEndpoint, endpoints } from '@tms/contracts'
import { type ApiClient, registerQueue } from '@tms/test-kit'
import { sendDirectly, sendToChannel } from '../../support/users-and-channels.ts'
import {
  allowedWhenOn,
  type ChangeRow,
  outcomeOf,
  type RowGroup,
  refusedWhenOn,
  whenOn,
} from '../change-row.ts'
import { clientOf } from '../client-of.ts'
import type { Environment } from '../environment.ts'
import { flagsFor, stateOf } from '../observations.ts'
import { renderedBy } from './realm-setting.ts'

const { addAlertWords, muteUser, removeAlertWords, runCommand, unmuteUser } = endpoints.users
const { updateDisplaySettings, updateNotificationSettings, updateSettingDefaults } = endpoints.users
const { updateSettings, updateStatus, createUser, devFetchApiKey, getStatus } = endpoints.users
const { createDrafts, getReadReceipts, sendMessage, setTypingStatus, updateMessageFlags } =
  endpoints.messaging

/** The same setting by each path. */
const emoticons = (endpoint: typeof updateSettings, words: string): ChangeRow => ({
  name: `emoticons are turned into emoji${words}, then a message is rendered`,
  covers: [endpoint as AnyEndpoint],
  isRunByEvent: true,
  prepare: async ({ createUser: newUser }) => {
    const member = await newUser()
    return {
      event: {
        watcher: member,
        type: 'user_settings',
        isOfTurn: ({ value }, { isOn }) => value === isOn,
      },
      change: (at, { isOn }) => at(member).call(endpoint, { translate_emoticons: isOn }),
      use: async (at) => (await renderedBy(at(member), 'hello :)')).includes('emoji'),
      expected: whenOn,
    }
  },
})

/** Two users who share a channel. */
const two = async ({ createUser: newUser, createChannel }: Environment) => {
  const [one, other] = [await newUser(), await newUser()]
  return { one, other, channel: await createChannel([one, other]) }
}

/**
 * Whether typing reaches a user, according to a queue that has also received a later message. Where it should, waits for it too:
 * nothing stores typing, so a message by another replica may be delivered before it.
 */
const isTypingDelivered = async (
  queue: Awaited<ReturnType<typeof registerQueue>>,
  sender: ApiClient,
  { mark, isExpected }: { mark: string; isExpected: boolean },
) => {
  const from = queue.events.length
  const to = [queue.client.userId]
  await sender.call(setTypingStatus, { op: 'start', to })
  await sender.call(sendMessage, { type: 'direct', to, content: mark })
  const has = (wanted: string) => queue.events.slice(from).some(({ type }) => type === wanted)
  await queue.until(() => has('message') && (has('typing') || !isExpected), mark)
  return has('typing')
}

/** Personal settings. */
export const ownSettings: RowGroup = {
  subject: 'own settings',
  rows: [
    emoticons(updateSettings, ''),
    emoticons(updateDisplaySettings as unknown as typeof updateSettings, ' by an older path'),
    emoticons(updateNotificationSettings as unknown as typeof updateSettings, ' by another older path'),
    {
      name: 'typing is no longer received, then somebody types',
      covers: [updateSettings],
      prepare: async (environment) => {
        const { one, other } = await two(environment)
        const queue = await registerQueue(one, { event_types: ['typing', 'message'] })
        queue.follow()
        return {
          change: (at, { isOn }) => at(one).call(updateSettings, { receives_typing_notifications: !isOn }),
          use: async (at, { isOn }) => {
            const mark = environment.newName('mark')
            return !(await isTypingDelivered(queue, at(other), { mark, isExpected: !isOn }))
          },
          expected: whenOn,
        }
      },
    },
    {
      name: 'typing is no longer sent, then the user types',
      covers: [updateSettings],
      prepare: async (environment) => {
        const { one, other } = await two(environment)
        return {
          change: (at, { isOn }) =>
            at(one).call(updateSettings, { send_private_typing_notifications: !isOn }),
          use: async (at) =>
            outcomeOf(await at(one).send(setTypingStatus, { op: 'start', to: [other.userId] })),
          expected: refusedWhenOn,
        }
      },
    },
    {
      name: 'read receipts are disabled, then another user requests the readers',
      covers: [updateSettings],
      prepare: async (environment) => {
        const { one, other, channel } = await two(environment)
        const message_id = await sendToChannel(one, channel.name)
        await other.call(updateMessageFlags, { messages: [message_id], op: 'add', flag: 'read' })
        return {
          change: (at, { isOn }) => at(other).call(updateSettings, { send_read_receipts: isOn }),
          use: async (at) =>
            (await at(one).call(getReadReceipts, { message_id })).user_ids.includes(other.userId),
          expected: whenOn,
        }
      },
    },
    {
      name: 'storing drafts is disabled, then one is created',
      covers: [updateSettings],
      prepare: async (environment) => {
        const { one, other } = await two(environment)
        const drafts = [{ type: 'private' as const, to: [other.userId], topic: '', content: 'dear' }]
        return {
          change: (at, { isOn }) => at(one).call(updateSettings, { enable_drafts_synchronization: isOn }),
          use: async (at) => outcomeOf(await at(one).send(createDrafts, { drafts })),
          expected: allowedWhenOn,
        }
      },
    },
    {
      name: 'topics are followed automatically, then the user sends to a new one',
      covers: [updateSettings],
      prepare: async (environment) => {
        const { one, channel } = await two(environment)
        return {
          change: (at, { isOn }) =>
            at(one).call(updateSettings, { automatically_follow_topics_policy: isOn ? 3 : 4 }),
          use: async (at) => {
            const topic = environment.newName('topic')
            await sendToChannel(at(one), channel.id, 'hello', topic)
            const { user_topics } = await stateOf(one, 'user_topic')
            return (user_topics as { topic_name: string }[]).some(({ topic_name }) => topic_name === topic)
          },
          expected: whenOn,
        }
      },
    },
    {
      name: 'an alert word is added or removed, then a message with it sent',
      covers: [addAlertWords, removeAlertWords],
      isRunByEvent: true,
      prepare: async (environment) => {
        const { one, other, channel } = await two(environment)
        const alert_words = ['lunch']
        return {
          event: {
            watcher: one,
            type: 'alert_words',
            isOfTurn: (event, { isOn }) => (event['alert_words'] as unknown[]).length === (isOn ? 1 : 0),
          },
          change: (at, { isOn }) => at(one).call(isOn ? addAlertWords : removeAlertWords, { alert_words }),
          use: async (at) => {
            const id = await sendToChannel(at(other), channel.id, 'lunch is ready')
            return (await flagsFor(one, id)).includes('has_alert_word')
          },
          expected: whenOn,
        }
      },
    },
    {
      name: 'a user is muted or unmuted, then sends a message',
      covers: [muteUser, unmuteUser],
      isRunByEvent: true,
      prepare: async (environment) => {
        const { one, other, channel } = await two(environment)
        return {
          event: {
            watcher: one,
            type: 'muted_users',
            isOfTurn: ({ muted_users }, { isOn }) => (muted_users as unknown[]).length === (isOn ? 1 : 0),
          },
          change: (at, { isOn }) =>
            at(one).call(isOn ? muteUser : unmuteUser, { muted_user_id: other.userId }),
          use: async (at) => {
            const id = await sendToChannel(at(other), channel.id)
            return (await flagsFor(one, id)).includes('read')
          },
          expected: whenOn,
        }
      },
    },
    {
      name: 'a user is muted, then writes directly',
      covers: [muteUser, unmuteUser],
      prepare: async (environment) => {
        const { one, other } = await two(environment)
        return {
          change: (at, { isOn }) =>
            at(one).call(isOn ? muteUser : unmuteUser, { muted_user_id: other.userId }),
          use: async (at) => (await flagsFor(one, await sendDirectly(at(other), [one]))).includes('read'),
          expected: whenOn,
        }
      },
    },
    {
      name: 'a command changes the colors, then a client registers',
      covers: [runCommand],
      prepare: async ({ createUser: newUser }) => {
        const member = await newUser()
        return {
          change: (at, { isOn }) => at(member).call(runCommand, { command: isOn ? '/night' : '/day' }),
          use: async (at) =>
            ((await stateOf(at(member), 'user_settings'))['user_settings'] as { color_scheme: number })
              .color_scheme === 2,
          expected: whenOn,
        }
      },
    },
    {
      name: 'later accounts begin with another setting, then one is created and renders a message',
      covers: [updateSettingDefaults],
      prepare: async ({ owner, anonymous, newName }) => ({
        change: (at, { isOn }) => at(owner).call(updateSettingDefaults, { translate_emoticons: isOn }),
        use: async (at) => {
          const full_name = newName('Later')
          const email = `${full_name.toLowerCase().replace(' ', '-')}@example.com`
          const password = `a long password of ${full_name}`
          const { user_id } = await at(owner).call(createUser, { email, full_name, password })
          const { api_key } = await at(anonymous).call(devFetchApiKey, { username: email })
          const later = at(clientOf(owner, { userId: user_id, email, apiKey: api_key }))
          return (await renderedBy(later, 'hello :)')).includes('emoji')
        },
        expected: whenOn,
      }),
    },
    {
      name: 'a status is set, then asked for by another user',
      covers: [updateStatus],
      prepare: async (environment) => {
        const { one, other } = await two(environment)
        return {
          change: (at, { index }) => at(one).call(updateStatus, { status_text: `status ${index}` }),
          use: async (at) => (await at(other).call(getStatus, { user_id: one.userId })).status.status_text,
          expected: ({ index }) => `status ${index}`,
        }
      },
    },
  ],
}
