import { endpoints } from '@tms/contracts'
import type { Answer, ApiClient, ClientEvent, TestSystem } from '@tms/test-kit'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { messagesOf } from '../support/observe.ts'
import { onePixel } from '../support/pictures.ts'
import {
  newChannel,
  newChannelName,
  newUsers,
  sendDirectly,
  sendToChannel,
} from '../support/users-and-channels.ts'
import { stopWatching, watch } from '../support/watch.ts'

const {
  addReaction,
  archiveChannel,
  createDrafts,
  deleteMessage,
  editMessage,
  getMessage,
  getMessageHistory,
  listDrafts,
  setTypingStatus,
  subscribe,
} = endpoints.messaging
const { register } = endpoints.events
const { updateRealm } = endpoints.realm
const { updateSettings } = endpoints.users

/** Settings of organizations and users apply in messaging, at every replica. */
export const effectiveSettingTests = (system: () => TestSystem): void => {
  let member: ApiClient
  let other: ApiClient
  let channel: { name: string; id: number }
  beforeAll(async () => {
    ;[member, other] = await newUsers(system(), 2)
    channel = await newChannel(member, { others: [other] })
  })

  describe('settings of the organization', () => {
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
    /** The channels that these settings name, as the next response says. */
    const namedBy = async (settings: readonly string[]) => {
      const state: Record<string, unknown> = await member.call(register, { fetch_event_types: ['realm'] })
      return settings.map((name) => state[`realm_${name}`])
    }
    /** By each replica. */
    const expectRefusals = async (request: (turn: number) => Promise<Answer>) => {
      for (let turn = 0; turn < 4; turn++) expect(await request(turn)).toMatchObject(refusal('BAD_REQUEST'))
    }

    test('forbid editing texts', async () => {
      const message_id = await sendToChannel(member, channel.name)
      await choose({ allow_message_editing: false })
      await expectRefusals((turn) => member.send(editMessage, { message_id, content: `edited ${turn}` }))
    })

    test('let only moderators change topics', async () => {
      const message_id = await sendToChannel(member, channel.name)
      await choose({ edit_topic_policy: 4 })
      await expectRefusals((turn) => other.send(editMessage, { message_id, topic: `elsewhere ${turn}` }))
    })

    test('let only administrators delete messages', async () => {
      await choose({ delete_own_message_policy: 2 })
      const message_id = await sendToChannel(member, channel.name)
      await expectRefusals(() => member.send(deleteMessage, { message_id }))
      expect(await system().owner.send(deleteMessage, { message_id })).toMatchObject(success())
    })

    test('hide the history of edits', async () => {
      const message_id = await sendToChannel(member, channel.name)
      await member.call(editMessage, { message_id, content: 'edited' })
      expect((await other.call(getMessage, { message_id })).message.edit_history).toHaveLength(1)
      await choose({ allow_edit_history: false })
      const { message } = await other.call(getMessage, { message_id })
      expect(message).not.toHaveProperty('edit_history')
    })

    test('show all edits, moves only, or none', async () => {
      const message_id = await sendToChannel(member, channel.name, 'first', 'lunch')
      await member.call(editMessage, { message_id, content: 'second' })
      await member.call(editMessage, { message_id, content: 'third', topic: 'tea' })
      const edits = async () => {
        const { message } = await other.call(getMessage, { message_id })
        const { message_history } = await other.call(getMessageHistory, { message_id })
        return {
          edits: (message.edit_history ?? []).map(({ prev_content, prev_topic }) => [
            prev_content,
            prev_topic,
          ]),
          versions: message_history.map(({ content, topic }) => [content, topic]),
        }
      }

      expect(await edits()).toEqual({
        edits: [
          ['second', 'lunch'],
          ['first', undefined],
        ],
        versions: [
          ['first', 'lunch'],
          ['second', 'lunch'],
          ['third', 'tea'],
        ],
      })
      await choose({ message_edit_history_visibility_policy: 'moves' })
      expect(await edits()).toEqual({
        edits: [[undefined, 'lunch']],
        versions: [
          ['third', 'lunch'],
          ['third', 'tea'],
        ],
      })
      await choose({ message_edit_history_visibility_policy: 'none' })
      expect(await edits()).toEqual({ edits: [], versions: [['third', 'tea']] })
    })

    test('announce new channels in the chosen channel', async () => {
      const board = await newChannel(system().owner)
      await choose({ new_stream_announcements_stream_id: board.id })
      await member.call(subscribe, { subscriptions: [{ name: newChannelName() }], announce: true })
      const [, announcement] = await messagesOf(system().owner, board.name)
      expect(announcement?.content).toContain('class="stream"')
    })

    test('name no channel for announcements after it was archived, and clients receive that', async () => {
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
      // One or several in one event, as all changes of settings.
      const isCleared = ({ property, value, data = {} }: ClientEvent, name: string) =>
        (property === name && value === -1) || (data as Record<string, unknown>)[name] === -1
      for (const name of settings.slice(0, 2)) {
        await watcher.queue.waitFor((event) => isCleared(event, name), name)
      }
      await choose({ [settings[2] as string]: -1 })
      await stopWatching([watcher])
    })

    test('name no channel for reports after it was archived', async () => {
      const hidden = await newChannel(system().owner, { isPrivate: true })
      await choose({ moderation_request_channel_id: hidden.id })
      await system().owner.call(archiveChannel, { stream_id: hidden.id })

      expect(await namedBy(['moderation_request_channel_id'])).toEqual([-1])
    })

    test('name no such channel once the archiving call returned, even if it was chosen meanwhile', async () => {
      const { owner } = system()
      const name = 'signup_announcements_stream_id'
      for (let turn = 0; turn < 10; turn++) {
        const board = await newChannel(owner, { isPrivate: turn % 2 === 0 })
        if (turn < 5) await choose({ [name]: board.id })
        const choice = turn < 5 ? null : owner.send(updateRealm, { [name]: board.id })
        await owner.call(archiveChannel, { stream_id: board.id })
        await choice

        expect([await namedBy([name]), await namedBy([name])]).toEqual([[-1], [-1]])
      }
    })

    test('allow web-public channels', async () => {
      const request = () =>
        system().owner.send(subscribe, { subscriptions: [{ name: newChannelName() }], is_web_public: true })
      expect(await request()).toMatchObject(refusal('BAD_REQUEST'))
      await choose({ enable_spectator_access: true })
      expect(await request()).toMatchObject(success())
    })

    test('let users react with custom emoji, and after its removal only join existing reactions', async () => {
      const { owner } = system()
      const react = (client: ApiClient, message_id: number) =>
        client.send(addReaction, { message_id, emoji_name: 'our-own' })
      const first = await sendToChannel(member, channel.name)
      expect(await react(member, first)).toMatchObject(refusal('BAD_REQUEST'))
      await owner.uploadTo('/api/v1/realm/emoji/our-own', { name: 'our-own.png', content: onePixel })
      expect(await react(member, first)).toMatchObject(success())
      const { message } = await other.call(getMessage, { message_id: first })
      expect(message.reactions).toMatchObject([{ emoji_name: 'our-own', reaction_type: 'realm_emoji' }])

      await owner.call(endpoints.realm.deactivateCustomEmoji, { emoji_name: 'our-own' })
      expect(await react(member, await sendToChannel(member, channel.name))).toMatchObject(
        refusal('BAD_REQUEST'),
      )
      const { emoji_name, emoji_code, reaction_type } = message.reactions[0] ?? {}
      const joined = { message_id: first, emoji_name: String(emoji_name), emoji_code, reaction_type }
      expect(await other.send(addReaction, joined)).toMatchObject(success())
    })
  })

  describe('settings of a user', () => {
    test('stop typing notifications', async () => {
      const [quiet] = await newUsers(system(), 1)
      const [quietWatcher, watcher] = [await watch(quiet), await watch(member)]
      await quiet.call(updateSettings, { receives_typing_notifications: false })

      // It concerns both.
      await other.call(setTypingStatus, { op: 'start', to: [quiet.userId, member.userId] })
      await watcher.queue.waitFor(({ type }) => type === 'typing')
      await sendDirectly(other, [quiet])
      await quietWatcher.queue.waitFor(({ type }) => type === 'message')
      expect(quietWatcher.queue.events.filter(({ type }) => type === 'typing')).toEqual([])
      await stopWatching([quietWatcher, watcher])
    })

    test('stop storing drafts on the server', async () => {
      const draft = { type: 'private' as const, to: [other.userId], topic: '', content: 'dear' }
      await member.call(createDrafts, { drafts: [draft] })
      await member.call(updateSettings, { enable_drafts_synchronization: false })
      expect(await member.send(createDrafts, { drafts: [draft] })).toMatchObject(refusal('BAD_REQUEST'))
      await member.call(updateSettings, { enable_drafts_synchronization: true })
      expect(await member.send(listDrafts, {})).toMatchObject(success({ count: 0 }))
    })
  })
}
