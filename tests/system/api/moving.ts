import { endpoints, type PropagateMode, Role } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { type Kind, ReceiptsModel } from '../support/receipts-model.ts'
import { unreadIn } from '../support/unread.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, type Watcher, watch } from '../support/watch.ts'

const { deleteMessage, editMessage, getMessage, getMessages, listTopics } = endpoints.messaging
const { subscribe, unsubscribe, updateMessageFlags } = endpoints.messaging
const QUIET = { send_notification_to_new_thread: false }
type ChannelRef = { name: string; id: number }

export const movingTests = (system: () => TestSystem): void => {
  describe('moving messages', () => {
    let ann: ApiClient
    let ben: ApiClient
    let cem: ApiClient
    let guest: ApiClient
    let kitchen: ChannelRef
    let garden: ChannelRef
    /** Of Ann, Ben and Cem: Ann is in both channels, Ben in the kitchen, Cem in the garden. */
    let watchers: Watcher[]
    beforeAll(async () => {
      ;[ann, ben, cem] = await newUsers(system(), 3)
      guest = await system().createUser(undefined, { role: Role.guest })
      kitchen = await newChannel(ann, { others: [ben, guest] })
      garden = await newChannel(ann, { others: [cem] })
      watchers = [await watch(ann), await watch(ben), await watch(cem)]
    })
    afterAll(() => stopWatching(watchers))

    /** The message events of each user. A user who starts a topic follows it, and receives that too. */
    const eventsDuring = async (act: () => Promise<unknown>) => {
      const events = await eventsOf(system(), watchers, act)
      return events.map((own) => own.filter(({ type }) => type !== 'user_topic' && type !== 'muted_topics'))
    }
    const fetch = async (client: ApiClient, message_id: number) =>
      (await client.call(getMessage, { message_id, apply_markdown: false })).message
    const topicsOf = async ({ id }: ChannelRef) =>
      (await ann.call(listTopics, { stream_id: id })).topics.map(({ name }) => name)
    /** The texts of a topic, oldest first. */
    const textsIn = async ({ id }: ChannelRef, topic: string, client = ann) => {
      const { messages } = await client.call(getMessages, {
        anchor: 'newest',
        num_before: 50,
        num_after: 0,
        apply_markdown: false,
        narrow: [
          { operator: 'channel', operand: id },
          { operator: 'topic', operand: topic },
        ],
      })
      return messages.map(({ content }) => content)
    }

    test('sets the time of the last move, but resolving does not; of the last edit only a new text', async () => {
      const message_id = await sendToChannel(ann, kitchen.name, 'x', 'rice')
      const moved = async (topic: string) => {
        await ann.call(editMessage, { message_id, topic, ...QUIET })
        return fetch(ann, message_id)
      }

      const resolved = await moved('\u2714 rice')
      expect(resolved).toMatchObject({ edit_history: [{ topic: '\u2714 rice' }] })
      expect(resolved).not.toHaveProperty('last_moved_timestamp')
      expect(resolved).not.toHaveProperty('last_edit_timestamp')
      const { last_moved_timestamp, timestamp, edit_history } = await moved('\u2714 beans')
      expect(last_moved_timestamp).toBeGreaterThanOrEqual(timestamp)
      expect(last_moved_timestamp).toBe(edit_history?.[0]?.timestamp)
      expect(await moved('beans')).toMatchObject({ last_moved_timestamp })
      const later = await ann.call(editMessage, { message_id, stream_id: garden.id, ...QUIET })
      expect(later).toMatchObject({ detached_uploads: [] })
      const inGarden = await fetch(ann, message_id)
      expect(inGarden.last_moved_timestamp).toBeGreaterThanOrEqual(timestamp)
      expect(inGarden).not.toHaveProperty('last_edit_timestamp')

      await ann.call(editMessage, { message_id, content: 'y' })
      const edited = await fetch(ann, message_id)
      expect(edited.last_edit_timestamp).toBe(edited.edit_history?.[0]?.timestamp)
      expect(edited.last_moved_timestamp).toBe(inGarden.last_moved_timestamp)
      expect(await moved('peas')).toMatchObject({ last_edit_timestamp: edited.last_edit_timestamp })
    })

    test('to another topic is delivered to everyone in the channel', async () => {
      const ids = [
        await sendToChannel(ann, kitchen.name, '1', 'soup'),
        await sendToChannel(ben, kitchen.name, '2', 'Soup'),
      ]
      const [message_id = 0] = ids
      await ben.call(updateMessageFlags, { messages: [message_id], op: 'add', flag: 'read' })

      const [anns, bens, cems] = await eventsDuring(async () => {
        const move = { message_id, topic: 'stew', propagate_mode: 'change_all', ...QUIET } as const
        expect(await ben.send(editMessage, move)).toMatchObject(success())
      })

      const expected = {
        id: expect.any(Number),
        type: 'update_message',
        user_id: ben.userId,
        rendering_only: false,
        edit_timestamp: expect.any(Number),
        message_id,
        message_ids: ids,
        stream_id: kitchen.id,
        stream_name: kitchen.name,
        propagate_mode: 'change_all',
        orig_subject: 'soup',
        subject: 'stew',
        topic_links: [],
      }
      expect(anns).toEqual([{ ...expected, flags: [] }])
      expect(bens).toEqual([{ ...expected, flags: ['read'] }])
      expect(cems).toEqual([])
      expect(await textsIn(kitchen, 'stew')).toEqual(['1', '2'])
      expect(await topicsOf(kitchen)).not.toContain('Soup')
    })

    test.each([
      ['change_one', ['2'], ['1', '3']],
      ['change_later', ['2', '3'], ['1']],
      ['change_all', ['1', '2', '3'], []],
    ] as const)('%s takes %j along and leaves %j', async (propagate_mode, moved, left) => {
      const [from, to] = [`from ${propagate_mode}`, `to ${propagate_mode}`]
      const ids: number[] = []
      for (const text of ['1', '2', '3']) ids.push(await sendToChannel(ann, kitchen.name, text, from))
      await ann.call(editMessage, { message_id: ids[1] ?? 0, topic: to, propagate_mode, ...QUIET })
      expect(await textsIn(kitchen, to)).toEqual(moved)
      expect(await textsIn(kitchen, from)).toEqual(left)
    })

    test('to another channel is delivered to users of either channel who may read it there', async () => {
      const message_id = await sendToChannel(ann, kitchen.name, 'x', 'tea')
      await ben.call(updateMessageFlags, { messages: [message_id], op: 'add', flag: 'starred' })

      const [anns, bens, cems] = await eventsDuring(() =>
        ann.call(editMessage, { message_id, stream_id: garden.id, ...QUIET }),
      )

      const expected = {
        type: 'update_message',
        message_ids: [message_id],
        stream_id: kitchen.id,
        stream_name: kitchen.name,
        new_stream_id: garden.id,
        propagate_mode: 'change_one',
        orig_subject: 'tea',
      }
      expect(anns).toMatchObject([{ ...expected, flags: [] }])
      expect(bens).toMatchObject([{ ...expected, flags: ['read', 'starred'] }])
      expect(cems).toMatchObject([{ ...expected, flags: ['read'] }])
      expect(anns?.[0]).not.toHaveProperty('subject')
      expect(await fetch(ben, message_id)).toMatchObject({
        stream_id: garden.id,
        display_recipient: garden.name,
        subject: 'tea',
        flags: ['read', 'starred'],
        edit_history: [{ prev_stream: kitchen.id, stream: garden.id }],
      })
      expect((await fetch(cem, message_id)).flags).toEqual(['read', 'historical'])
    })

    test('to a private channel removes it for users outside that channel', async () => {
      const cellar = await newChannel(ann, { others: [cem], isPrivate: true })
      const ids = [
        await sendToChannel(ann, kitchen.name, '1', 'wine'),
        await sendToChannel(ann, kitchen.name, '2', 'wine'),
      ]
      const [message_id = 0] = ids
      await ben.call(updateMessageFlags, { messages: ids, op: 'add', flag: 'starred' })

      const [anns, bens, cems] = await eventsDuring(() =>
        ann.call(editMessage, { message_id, stream_id: cellar.id, propagate_mode: 'change_all', ...QUIET }),
      )

      expect(anns).toMatchObject([{ type: 'update_message', message_ids: ids }])
      const deletion = {
        type: 'delete_message',
        message_type: 'stream',
        stream_id: kitchen.id,
        topic: 'wine',
      }
      expect(bens).toEqual(ids.map((one) => ({ id: expect.any(Number), ...deletion, message_id: one })))
      expect(cems).toMatchObject([{ type: 'update_message', message_ids: ids, flags: ['read'] }])
      expect(await ben.send(getMessage, { message_id })).toMatchObject(refusal('BAD_REQUEST'))
      // A protected history: Cem has it now, although he never received it.
      expect((await fetch(cem, message_id)).flags).toEqual(['read'])
      // Its flags are deleted, should it ever come back.
      await ann.call(editMessage, {
        message_id,
        stream_id: kitchen.id,
        propagate_mode: 'change_all',
        ...QUIET,
      })
      expect((await fetch(ben, message_id)).flags).toEqual(['read', 'historical'])
    })

    test('out of a public channel removes it for a guest', async () => {
      const watcher = await watch(guest)
      const message_id = await sendToChannel(ann, kitchen.name, 'x', 'spoons')
      const [guests] = await eventsOf(system(), [watcher], () =>
        ann.call(editMessage, { message_id, stream_id: garden.id, ...QUIET }),
      )
      await stopWatching([watcher])
      expect(guests).toMatchObject([{ type: 'delete_message', message_id, stream_id: kitchen.id }])
    })

    test('posts notices in both threads, as requested', async () => {
      const link = (channelRef: ChannelRef, topic: string) => `#**${channelRef.name}>${topic}**`
      const by = `by @_**${(await ann.call(endpoints.users.getOwnUser, {})).full_name}|${ann.userId}**.`
      const message_id = await sendToChannel(ann, kitchen.name, '1', 'plates')
      await sendToChannel(ann, kitchen.name, '2', 'plates')
      await ann.call(editMessage, {
        message_id,
        stream_id: garden.id,
        topic: 'dishes',
        send_notification_to_old_thread: true,
      })
      const from = `A message was moved here from ${link(kitchen, 'plates')} ${by}`
      expect(await textsIn(garden, 'dishes')).toEqual(['1', from])
      const to = `A message was moved from this topic to ${link(garden, 'dishes')} ${by}`
      expect(await textsIn(kitchen, 'plates')).toEqual(['2', to])

      await ann.call(editMessage, { message_id, topic: 'bowls', propagate_mode: 'change_all' })
      const whole = `This topic was moved here from ${link(garden, 'dishes')} ${by}`
      expect((await textsIn(garden, 'bowls')).at(-1)).toBe(whole)
    })

    test('resolves a topic, and reopens it', async () => {
      const message_id = await sendToChannel(ann, kitchen.name, 'done?', 'oven')
      const resolved = { message_id, topic: '\u2714 oven', propagate_mode: 'change_all' } as const
      await ben.call(editMessage, resolved)
      expect((await textsIn(kitchen, '\u2714 oven')).at(-1)).toMatch(/marked this topic as resolved\.$/)
      const own = (client: ApiClient) =>
        client.call(getMessages, {
          anchor: 'newest',
          num_before: 1,
          num_after: 0,
          narrow: [
            { operator: 'channel', operand: kitchen.id },
            { operator: 'topic', operand: '\u2714 oven' },
          ],
        })
      expect((await own(ann)).messages.at(-1)?.flags).toEqual([])
      // Ben resolved it, but never wrote in it.
      expect((await own(ben)).messages.at(-1)?.flags).toEqual(['read'])
      await ben.call(editMessage, { ...resolved, topic: 'oven' })
      expect((await textsIn(kitchen, 'oven')).at(-1)).toMatch(/marked this topic as unresolved\.$/)
    })

    test('moves the visibility settings of the topic', async () => {
      const start = { type: 'channel', to: kitchen.name, topic: 'forks', content: 'x' } as const
      const { id: message_id, ...sent } = await ann.call(endpoints.messaging.sendMessage, start)
      expect(sent).toMatchObject({ automatic_new_visibility_policy: 3 })
      await ann.call(editMessage, { message_id, topic: 'knives', propagate_mode: 'change_all', ...QUIET })
      // She does not follow it any more, so that starting it again would.
      expect(await ann.call(endpoints.messaging.sendMessage, start)).toMatchObject(sent)
    })

    test('is rejected', async () => {
      const secret = await newChannel(cem, { isPrivate: true })
      const refused = refusal('BAD_REQUEST')
      const message_id = await sendToChannel(ann, kitchen.name)
      const direct = await sendDirectly(ann, [ben])
      const attempts: [ApiClient, object][] = [
        [ann, { message_id, stream_id: secret.id }],
        [guest, { message_id, stream_id: garden.id }],
        [
          cem,
          {
            message_id: await sendToChannel(ann, (await newChannel(ann, { isPrivate: true })).name),
            topic: 'x',
          },
        ],
        [ann, { message_id: direct, topic: 'x' }],
        [ann, { message_id: direct, stream_id: garden.id }],
      ]
      for (const [client, input] of attempts) {
        expect(await client.send(editMessage, input as { message_id: number })).toMatchObject(refused)
      }
    })

    test('keeps every user’s copies and read state', async () => {
      const everyone = [ann, ben, cem]
      const operation = fc.record({
        kind: fc.constantFrom(
          'send',
          'send',
          'send',
          'join',
          'leave',
          'read',
          'unread',
          'move',
          'move',
          'delete',
        ),
        user: fc.nat(2),
        channel: fc.nat(2),
        other: fc.nat(2),
        pick: fc.nat(1_000),
        mode: fc.constantFrom<PropagateMode>('change_one', 'change_later', 'change_all'),
      })
      type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never
      const kinds: readonly Kind[] = ['public', 'shared', 'protected']

      const run = async (operations: readonly Operation[]) => {
        const model = new ReceiptsModel(3, kinds)
        const channels: ChannelRef[] = []
        // The notice of a channel's creation does not move and is not part of the model.
        const notices = new Set<number>()
        for (const [index, kind] of kinds.entries()) {
          const settings = { isPrivate: kind !== 'public', hasSharedHistory: kind !== 'protected' }
          const channel = await newChannel(ann, settings)
          channels.push(channel)
          notices.add(channel.noticeId)
          model.subscribe(0, index)
        }
        const nameOf = (channel: number) => channels[channel]?.name ?? ''
        const act = async ({ kind, user, channel, other, pick, mode }: Operation): Promise<void> => {
          const client = everyone[user] as ApiClient
          const ids = model.messagesIn(channel)
          const id = ids[pick % Math.max(ids.length, 1)]
          const subscriptions = [{ name: nameOf(channel) }]
          switch (kind) {
            case 'send':
              return model.send(await sendToChannel(ann, nameOf(channel), `${pick}`, 'topic'), channel)
            case 'join':
              // Only a subscriber of a private channel can add others.
              await ann.call(subscribe, { subscriptions, principals: [client.userId] })
              return model.subscribe(user, channel)
            case 'leave':
              // Ann stays: she moves the messages.
              if (user === 0 || !model.isSubscribed(user, channel)) return
              await client.call(unsubscribe, { subscriptions: [nameOf(channel)] })
              return model.unsubscribe(user, channel)
            case 'read':
            case 'unread': {
              if (id === undefined || !model.hasMessage(user, id) || !model.isSubscribed(user, channel))
                return
              const op = kind === 'read' ? 'add' : 'remove'
              await client.call(updateMessageFlags, { messages: [id], op, flag: 'read' })
              return model.mark(user, id, kind === 'read')
            }
            case 'move': {
              if (id === undefined || channel === other) return
              const stream_id = channels[other]?.id ?? 0
              await ann.call(editMessage, { message_id: id, stream_id, propagate_mode: mode, ...QUIET })
              const moved = {
                change_one: [id],
                change_later: ids.filter((one) => one >= id),
                change_all: ids,
              }
              return model.move(moved[mode], other)
            }
            case 'delete':
              if (id === undefined) return
              await ann.call(deleteMessage, { message_id: id })
              return model.remove(id)
          }
        }
        for (const one of operations) await act(one)

        for (const [user, client] of everyone.entries()) {
          const { messages } = await client.call(getMessages, {
            anchor: 'newest',
            num_before: 2_000,
            num_after: 0,
            narrow: [],
          })
          const copies = messages.flatMap(({ id, stream_id, flags }) => {
            const channel = channels.findIndex((channelRef) => channelRef.id === stream_id)
            return channel < 0 || notices.has(id) ? [] : [{ id, channel, isRead: flags.includes('read') }]
          })
          const expected = model.messagesOf(user)
          expect(copies).toEqual(expected)
          const unread = expected.filter(({ isRead }) => !isRead).map(({ id }) => id)
          const channelIds = channels.map(({ id }) => id)
          expect(await unreadIn(client, channelIds)).toEqual(unread)
        }
      }
      await fc.assert(fc.asyncProperty(fc.array(operation, { minLength: 30, maxLength: 60 }), run), {
        numRuns: 8,
        endOnFailure: true,
      })
    })
  })
}
