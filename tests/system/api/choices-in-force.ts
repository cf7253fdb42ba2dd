import { endpoints } from '@tms/contracts'
import type { ApiClient, ClientEvent, TestSystem } from '@tms/test-kit'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { messagesOf } from '../support/observe.ts'
import { newChannel, newChannelName, newUsers, say } from '../support/people.ts'
import { onePixel } from '../support/pictures.ts'
import { until } from '../support/until.ts'
import { stopWatching, watch } from '../support/watch.ts'

const {
  addReaction,
  archiveChannel,
  createDrafts,
  deleteMessage,
  editMessage,
  getMessage,
  listDrafts,
  setTypingStatus,
  subscribe,
  unsubscribe,
} = endpoints.messaging
const { register } = endpoints.events
const { updateRealm } = endpoints.realm
const { updateSettings } = endpoints.users

/** What organizations and people choose, elsewhere, holds in messaging, at every replica, within a second or so. */
export const choicesInForceTests = (system: () => TestSystem): void => {
  let member: ApiClient
  let other: ApiClient
  let channel: { name: string; id: number }
  beforeAll(async () => {
    ;[member, other] = (await newUsers(system(), 2)) as [ApiClient, ApiClient]
    channel = await newChannel(member, { others: [other] })
  })

  describe('what an organization chooses', () => {
    afterEach(() =>
      system().owner.call(updateRealm, {
        allow_message_editing: true,
        allow_edit_history: true,
        delete_own_message_policy: 5,
        edit_topic_policy: 5,
        enable_spectator_access: false,
        enable_read_receipts: true,
        new_stream_announcements_stream_id: -1,
      }),
    )
    const choose = (choice: Parameters<ApiClient['call']>[1]) => system().owner.call(updateRealm, choice)
    /** The channels that these settings name, as the next answer says. */
    const namedBy = async (settings: readonly string[]) => {
      const state: Record<string, unknown> = await member.call(register, { fetch_event_types: ['realm'] })
      return settings.map((name) => state[`realm_${name}`])
    }
    /** Until each replica has heard of it. */
    const isRefused = async (ask: () => Promise<{ status: number }>): Promise<boolean> => {
      for (let i = 0; i < 4; i++) if ((await ask()).status === 200) return false
      return true
    }

    test('texts may no longer be edited', async () => {
      const message_id = await say(member, channel.name)
      await choose({ allow_message_editing: false })
      let turn = 0
      await until(() =>
        isRefused(() => member.send(editMessage, { message_id, content: `edited ${++turn}` })),
      )
    })

    test('topics are for moderators to change', async () => {
      const message_id = await say(member, channel.name)
      await choose({ edit_topic_policy: 4 })
      let turn = 0
      await until(() =>
        isRefused(() => other.send(editMessage, { message_id, topic: `elsewhere ${++turn}` })),
      )
    })

    test('messages are for administrators to delete', async () => {
      await choose({ delete_own_message_policy: 2 })
      await until(() =>
        isRefused(async () => member.send(deleteMessage, { message_id: await say(member, channel.name) })),
      )
      const message_id = await say(member, channel.name)
      expect(await system().owner.send(deleteMessage, { message_id })).toMatchObject(success())
    })

    test('edits leave no trace to see', async () => {
      const message_id = await say(member, channel.name)
      await member.call(editMessage, { message_id, content: 'edited' })
      expect((await other.call(getMessage, { message_id })).message.edit_history).toHaveLength(1)
      await choose({ allow_edit_history: false })
      await until(async () => {
        const { message } = await other.call(getMessage, { message_id })
        return message.edit_history === undefined
      })
    })

    test('new channels are announced where it says', async () => {
      const board = await newChannel(system().owner)
      await choose({ new_stream_announcements_stream_id: board.id })
      await until(async () => {
        await member.call(subscribe, { subscriptions: [{ name: newChannelName() }], announce: true })
        return (await messagesOf(system().owner, board.name)).length > 1
      })
      const [, announcement] = await messagesOf(system().owner, board.name)
      expect(announcement?.content).toContain('class="stream"')
    })

    test('names no channel for announcements once that is archived, and clients hear of it', async () => {
      const settings = [
        'new_stream_announcements_stream_id',
        'signup_announcements_stream_id',
        'zulip_update_announcements_stream_id',
      ]
      const [board, kept] = [await newChannel(system().owner), await newChannel(system().owner)]
      const ids = { [settings[0] as string]: board.id, [settings[1] as string]: board.id }
      await choose({ ...ids, [settings[2] as string]: kept.id })
      const watcher = await watch(member, { event_types: ['realm'] })
      await system().owner.call(archiveChannel, { stream_id: board.id })

      expect(await namedBy(settings)).toEqual([-1, -1, kept.id])
      // Singly or several in one, as all changes of settings come.
      const isTold = ({ property, value, data = {} }: ClientEvent, name: string) =>
        (property === name && value === -1) || (data as Record<string, unknown>)[name] === -1
      for (const name of settings.slice(0, 2)) {
        await watcher.queue.waitFor((event) => isTold(event, name), name)
      }
      await choose({ [settings[2] as string]: -1 })
      await stopWatching([watcher])
    })

    test('names none by the answer to whatever archives the channel, also if it is chosen meanwhile', async () => {
      const { owner } = system()
      const name = 'signup_announcements_stream_id'
      for (let turn = 0; turn < 10; turn++) {
        const board = await newChannel(owner, { isPrivate: turn % 2 === 0 })
        if (turn < 5) await choose({ [name]: board.id })
        const choice = turn < 5 ? null : owner.send(updateRealm, { [name]: board.id })
        if (turn % 2 === 0) await owner.call(unsubscribe, { subscriptions: [board.name] })
        else await owner.call(archiveChannel, { stream_id: board.id })
        await choice

        expect([await namedBy([name]), await namedBy([name])]).toEqual([[-1], [-1]])
      }
    })

    test('channels may be open to the web', async () => {
      const ask = () =>
        system().owner.send(subscribe, { subscriptions: [{ name: newChannelName() }], is_web_public: true })
      expect(await ask()).toMatchObject(refusal('BAD_REQUEST'))
      await choose({ enable_spectator_access: true })
      await until(async () => (await ask()).status === 200)
    })

    test('its own emoji can be reacted with, until it takes them away, and then by those who join in', async () => {
      const { owner } = system()
      const react = (client: ApiClient, message_id: number) =>
        client.send(addReaction, { message_id, emoji_name: 'our-own' })
      const first = await say(member, channel.name)
      expect(await react(member, first)).toMatchObject(refusal('BAD_REQUEST'))
      await owner.uploadTo('/api/v1/realm/emoji/our-own', { name: 'our-own.png', content: onePixel })
      await until(async () => (await react(member, first)).status === 200)
      const { message } = await other.call(getMessage, { message_id: first })
      expect(message.reactions).toMatchObject([{ emoji_name: 'our-own', reaction_type: 'realm_emoji' }])

      await owner.call(endpoints.realm.deactivateCustomEmoji, { emoji_name: 'our-own' })
      await until(async () => (await react(member, await say(member, channel.name))).status === 400)
      const { emoji_name, emoji_code, reaction_type } = message.reactions[0] ?? {}
      const joined = { message_id: first, emoji_name: String(emoji_name), emoji_code, reaction_type }
      expect(await other.send(addReaction, joined)).toMatchObject(success())
    })
  })

  describe('what a person chooses', () => {
    test('not to be told of typing', async () => {
      const [quiet] = (await newUsers(system(), 1)) as [ApiClient]
      const watchers = [await watch(quiet), await watch(member)]
      await quiet.call(updateSettings, { receives_typing_notifications: false })
      const heardBy = (index: number) =>
        watchers[index]?.queue.events.filter(({ type }) => type === 'typing') ?? []
      // Each is for both; what comes to the one after the setting holds doesn't come to the other.
      await until(async () => {
        const before = heardBy(0).length
        const told = heardBy(1).length
        await other.call(setTypingStatus, { op: 'start', to: [quiet.userId, member.userId] })
        await watchers[1]?.queue.until(() => heardBy(1).length > told)
        await other.call(endpoints.messaging.sendMessage, {
          type: 'direct',
          to: [quiet.userId],
          content: 'mark',
        })
        const marks = () => watchers[0]?.queue.events.filter(({ type }) => type === 'message').length ?? 0
        const marked = marks()
        await watchers[0]?.queue.until(() => marks() > marked || heardBy(0).length > before)
        return heardBy(0).length === before
      })
      await stopWatching(watchers)
    })

    test('not to keep drafts here', async () => {
      const draft = { type: 'private' as const, to: [other.userId], topic: '', content: 'dear' }
      await member.call(createDrafts, { drafts: [draft] })
      await member.call(updateSettings, { enable_drafts_synchronization: false })
      await until(async () => (await member.send(createDrafts, { drafts: [draft] })).status === 400)
      await member.call(updateSettings, { enable_drafts_synchronization: true })
      await until(async () => {
        const { status, body } = await member.send(listDrafts, {})
        return status === 200 && body['count'] === 0
      })
    })
  })
}
