import { endpoints } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { unreadIn } from '../support/unread.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, type Watcher, watch } from '../support/watch.ts'

const { deleteMessage, deleteTopic, getMessage, getMessages, updateMessageFlags } = endpoints.messaging
const BULK = { notification_settings_null: true, bulk_message_deletion: true }

export const deletingTests = (system: () => TestSystem): void => {
  describe('DELETE /messages/{message_id}', () => {
    let ann: ApiClient
    let ben: ApiClient
    let channel: { name: string; id: number }
    let watchers: Watcher[]
    beforeAll(async () => {
      ;[ann, ben] = await newUsers(system(), 2)
      channel = await newChannel(ann, { others: [ben] })
      const inBulk = { client_capabilities: BULK }
      watchers = [await watch(ann), await watch(ben, inBulk), await watch(system().owner, inBulk)]
    })
    afterAll(() => stopWatching(watchers))
    /** One whose messages change no topic policy, and so are stored in one statement where nothing else needs more. */
    const newUserWithoutPolicies = async () => {
      const [user] = await newUsers(system(), 1)
      const never = 4
      await user.call(endpoints.users.updateSettings, {
        automatically_follow_topics_policy: never,
        automatically_unmute_topics_in_muted_streams_policy: never,
      })
      return user
    }

    test('deletes it for everyone, and delivers that to the subscribers', async () => {
      const message_id = await sendToChannel(ann, channel.name, 'oops', 'lunch')
      const [anns, bens, owners] = await eventsOf(system(), watchers, async () => {
        expect(await ann.send(deleteMessage, { message_id })).toMatchObject(success())
      })

      const expected = {
        type: 'delete_message',
        message_type: 'stream',
        stream_id: channel.id,
        topic: 'lunch',
        id: expect.any(Number),
      }
      expect(anns).toEqual([{ ...expected, message_id }])
      expect(bens).toEqual([{ ...expected, message_ids: [message_id] }])
      expect(owners).toEqual([])
      for (const client of [ann, ben]) {
        expect(await client.send(getMessage, { message_id })).toMatchObject(refusal('BAD_REQUEST'))
      }
      expect(await ann.send(deleteMessage, { message_id })).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('keeps the read state of the messages around it', async () => {
      const ids: number[] = []
      for (let i = 0; i < 5; i++) ids.push(await sendToChannel(ann, channel.name))
      const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = ids
      await ben.call(updateMessageFlags, { messages: [second, fourth], op: 'add', flag: 'read' })
      await ben.call(updateMessageFlags, { messages: [third], op: 'add', flag: 'starred' })
      await ann.call(deleteMessage, { message_id: third })
      await ann.call(deleteMessage, { message_id: second })
      const before = await unreadIn(ben, [channel.id])
      expect(before).toEqual(expect.arrayContaining([first, fifth]))
      expect(before).not.toEqual(expect.arrayContaining([fourth]))

      await ben.call(updateMessageFlags, { messages: [fifth], op: 'add', flag: 'read' })
      await ben.call(updateMessageFlags, { messages: [fourth], op: 'remove', flag: 'read' })
      const next = await sendToChannel(ann, channel.name)
      expect(await unreadIn(ben, [channel.id])).toEqual(
        [...before.filter((id) => id !== fifth), fourth, next].sort((a, b) => a - b),
      )
    })

    test('deletes a direct message for both users', async () => {
      const message_id = await sendDirectly(ann, [ben])
      const [anns, bens] = await eventsOf(system(), watchers, () => ann.call(deleteMessage, { message_id }))
      const expected = { type: 'delete_message', message_type: 'private', id: expect.any(Number) }
      expect(anns).toEqual([{ ...expected, message_id }])
      expect(bens).toEqual([{ ...expected, message_ids: [message_id] }])
    })

    test('is delivered to an administrator who is not subscribed', async () => {
      const message_id = await sendToChannel(ann, channel.name)
      const [, , owners] = await eventsOf(system(), watchers, () =>
        system().owner.call(deleteMessage, { message_id }),
      )
      expect(owners).toMatchObject([{ type: 'delete_message', message_ids: [message_id] }])
    })

    test('is allowed to the sender and administrators', async () => {
      const message_id = await sendToChannel(ann, channel.name)
      const secret = await newChannel(ann, { isPrivate: true })
      const hidden = await sendToChannel(ann, secret.name)
      const refused = refusal('BAD_REQUEST')
      expect(await ben.send(deleteMessage, { message_id })).toMatchObject(refused)
      expect(await system().owner.send(deleteMessage, { message_id: hidden })).toMatchObject(refused)
      expect(await ann.send(deleteMessage, { message_id: 2 ** 52 })).toMatchObject(refused)
    })

    test('makes the next message the first one of the channel, and delivers that', async () => {
      const { noticeId, id: stream_id, name } = await newChannel(system().owner, { others: [ann] })
      const next = await sendToChannel(ann, name)
      const watcher = await watch(ben)
      const [bens] = await eventsOf(system(), [watcher], async () => {
        await system().owner.call(deleteMessage, { message_id: noticeId })
      })
      await stopWatching([watcher])
      const first = { property: 'first_message_id', value: next }
      expect(bens).toMatchObject([{ type: 'stream', op: 'update', stream_id, name, ...first }])
      const { stream } = await ben.call(endpoints.messaging.getChannel, { stream_id })
      expect(stream.first_message_id).toBe(next)
    })

    test('a message is the first one again after the last was deleted, for users who are not subscribed, too', async () => {
      const cem = await newUserWithoutPolicies()
      const { noticeId, id: stream_id, name } = await newChannel(cem)
      await system().owner.call(deleteMessage, { message_id: noticeId })
      const watcher = await watch(ben)
      let first = 0
      const [bens] = await eventsOf(system(), [watcher], async () => {
        first = await sendToChannel(cem, name)
        await sendToChannel(cem, name)
      })
      await stopWatching([watcher])

      const change = { property: 'first_message_id', value: first }
      expect(bens).toMatchObject([{ type: 'stream', op: 'update', stream_id, name, ...change }])
      const { stream } = await ben.call(endpoints.messaging.getChannel, { stream_id })
      expect(stream.first_message_id).toBe(first)
    })

    test('of several first messages sent at once to an emptied channel, one is delivered as the first', async () => {
      const cem = await newUserWithoutPolicies()
      const { noticeId, id: stream_id, name } = await newChannel(cem)
      await system().owner.call(deleteMessage, { message_id: noticeId })
      const watcher = await watch(ben)
      const sent: number[] = []
      const [bens] = await eventsOf(system(), [watcher], async () => {
        sent.push(...(await Promise.all([1, 2, 3, 4].map(() => sendToChannel(cem, name)))))
      })
      await stopWatching([watcher])

      expect(bens).toMatchObject([{ stream_id, property: 'first_message_id', value: Math.min(...sent) }])
    })

    test('takes its star from a user who left the channel, and delivers that without the message', async () => {
      const { name } = await newChannel(ann, { isPrivate: true, others: [ben] })
      const [kept, message_id] = [await sendToChannel(ann, name), await sendToChannel(ann, name)]
      await ben.call(updateMessageFlags, { messages: [kept, message_id], op: 'add', flag: 'starred' })
      await ben.call(endpoints.messaging.unsubscribe, { subscriptions: [name] })
      const starred = async () => {
        const state = await ben.call(endpoints.events.register, { fetch_event_types: ['starred_messages'] })
        return (state['starred_messages'] as number[]).filter((id) => id >= kept)
      }
      expect(await starred()).toEqual([kept, message_id])

      const [, bens] = await eventsOf(system(), watchers, () => ann.call(deleteMessage, { message_id }))

      const unstarred = { type: 'update_message_flags', op: 'remove', flag: 'starred', all: false }
      expect(bens).toMatchObject([{ ...unstarred, messages: [message_id] }])
      expect(await starred()).toEqual([kept])
    })

    test('takes the star of a former subscriber when it moves to a channel that they cannot see', async () => {
      const [from, to] = [
        await newChannel(ann, { isPrivate: true, others: [ben] }),
        await newChannel(ann, { isPrivate: true }),
      ]
      const message_id = await sendToChannel(ann, from.name)
      await ben.call(updateMessageFlags, { messages: [message_id], op: 'add', flag: 'starred' })
      await ben.call(endpoints.messaging.unsubscribe, { subscriptions: [from.name] })

      const [, bens] = await eventsOf(system(), watchers, () =>
        ann.call(endpoints.messaging.editMessage, { message_id, stream_id: to.id }),
      )

      expect(bens).toMatchObject([{ type: 'update_message_flags', op: 'remove', messages: [message_id] }])
    })

    test('POST /streams/{stream_id}/delete_topic deletes in batches', async () => {
      const { owner } = system()
      const deletedIds: number[] = []
      for (let i = 0; i < 130; i++)
        deletedIds.push(await sendToChannel(ann, channel.name, `${i}`, i % 2 ? 'Doom' : 'doom'))
      const kept = await sendToChannel(ann, channel.name, 'stays', 'another')

      const [anns, bens, owners] = await eventsOf(system(), watchers, async () => {
        const answer = await owner.send(deleteTopic, { stream_id: channel.id, topic_name: 'DOOM' })
        expect(answer).toMatchObject(success({ complete: true }))
      })

      expect(bens).toMatchObject([
        { type: 'delete_message', message_ids: deletedIds.slice(30), topic: 'Doom' },
        { type: 'delete_message', message_ids: deletedIds.slice(0, 30), topic: 'Doom' },
      ])
      expect(owners).toEqual(bens)
      expect(anns?.map((event) => event['message_id'])).toEqual([
        ...deletedIds.slice(30),
        ...deletedIds.slice(0, 30),
      ])
      const { messages } = await ben.call(getMessages, {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        narrow: [{ operator: 'channel', operand: channel.id }],
      })
      expect(messages.map(({ id }) => id)).toEqual([kept])
      const again = await owner.send(deleteTopic, { stream_id: channel.id, topic_name: 'doom' })
      expect(again).toMatchObject(success({ complete: true }))
    })
  })
}
