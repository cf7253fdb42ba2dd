import { endpoints } from '@tms/contracts'
import type { Answer, ApiClient, ClientEvent, TestSystem } from '@tms/test-kit'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { messagesOf } from '../support/observe.ts'
import { newChannel, newChannelName, newUsers, say, whisper } from '../support/people.ts'
import { onePixel } from '../support/pictures.ts'
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

/** What organizations and people choose, elsewhere, holds in messaging, at every replica. */
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
    /** By each replica. */
    const expectRefusals = async (ask: (turn: number) => Promise<Answer>) => {
      for (let turn = 0; turn < 4; turn++) expect(await ask(turn)).toMatchObject(refusal('BAD_REQUEST'))
    }

    test('texts may no longer be edited', async () => {
      const message_id = await say(member, channel.name)
      await choose({ allow_message_editing: false })
      await expectRefusals((turn) => member.send(editMessage, { message_id, content: `edited ${turn}` }))
    })

    test('topics are for moderators to change', async () => {
      const message_id = await say(member, channel.name)
      await choose({ edit_topic_policy: 4 })
      await expectRefusals((turn) => other.send(editMessage, { message_id, topic: `elsewhere ${turn}` }))
    })

    test('messages are for administrators to delete', async () => {
      await choose({ delete_own_message_policy: 2 })
      const message_id = await say(member, channel.name)
      await expectRefusals(() => member.send(deleteMessage, { message_id }))
      expect(await system().owner.send(deleteMessage, { message_id })).toMatchObject(success())
    })

    test('edits leave no trace to see', async () => {
      const message_id = await say(member, channel.name)
      await member.call(editMessage, { message_id, content: 'edited' })
      expect((await other.call(getMessage, { message_id })).message.edit_history).toHaveLength(1)
      await choose({ allow_edit_history: false })
      const { message } = await other.call(getMessage, { message_id })
      expect(message).not.toHaveProperty('edit_history')
    })

    test('new channels are announced where it says', async () => {
      const board = await newChannel(system().owner)
      await choose({ new_stream_announcements_stream_id: board.id })
      await member.call(subscribe, { subscriptions: [{ name: newChannelName() }], announce: true })
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
      expect(await ask()).toMatchObject(success())
    })

    test('its own emoji can be reacted with, until it takes them away, and then by those who join in', async () => {
      const { owner } = system()
      const react = (client: ApiClient, message_id: number) =>
        client.send(addReaction, { message_id, emoji_name: 'our-own' })
      const first = await say(member, channel.name)
      expect(await react(member, first)).toMatchObject(refusal('BAD_REQUEST'))
      await owner.uploadTo('/api/v1/realm/emoji/our-own', { name: 'our-own.png', content: onePixel })
      expect(await react(member, first)).toMatchObject(success())
      const { message } = await other.call(getMessage, { message_id: first })
      expect(message.reactions).toMatchObject([{ emoji_name: 'our-own', reaction_type: 'realm_emoji' }])

      await owner.call(endpoints.realm.deactivateCustomEmoji, { emoji_name: 'our-own' })
      expect(await react(member, await say(member, channel.name))).toMatchObject(refusal('BAD_REQUEST'))
      const { emoji_name, emoji_code, reaction_type } = message.reactions[0] ?? {}
      const joined = { message_id: first, emoji_name: String(emoji_name), emoji_code, reaction_type }
      expect(await other.send(addReaction, joined)).toMatchObject(success())
    })
  })

  describe('what a person chooses', () => {
    test('not to be told of typing', async () => {
      const [quiet] = (await newUsers(system(), 1)) as [ApiClient]
      const [quietWatcher, watcher] = [await watch(quiet), await watch(member)]
      await quiet.call(updateSettings, { receives_typing_notifications: false })

      // It is for both.
      await other.call(setTypingStatus, { op: 'start', to: [quiet.userId, member.userId] })
      await watcher.queue.waitFor(({ type }) => type === 'typing')
      await whisper(other, [quiet])
      await quietWatcher.queue.waitFor(({ type }) => type === 'message')
      expect(quietWatcher.queue.events.filter(({ type }) => type === 'typing')).toEqual([])
      await stopWatching([quietWatcher, watcher])
    })

    test('not to keep drafts here', async () => {
      const draft = { type: 'private' as const, to: [other.userId], topic: '', content: 'dear' }
      await member.call(createDrafts, { drafts: [draft] })
      await member.call(updateSettings, { enable_drafts_synchronization: false })
      expect(await member.send(createDrafts, { drafts: [draft] })).toMatchObject(refusal('BAD_REQUEST'))
      await member.call(updateSettings, { enable_drafts_synchronization: true })
      expect(await member.send(listDrafts, {})).toMatchObject(success({ count: 0 }))
    })
  })
}
