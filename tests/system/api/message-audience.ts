import { endpoints, Role } from '@tms/contracts'
import type { ApiClient, ClientEvent, TestSystem } from '@tms/test-kit'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { refusal } from '../support/answers.ts'
import { newChannel, newUserOfRole, newUsers, sendToChannel } from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, type Watcher, watch } from '../support/watch.ts'

const { addReaction, addSubmessage, deleteMessage, editMessage, getMessage } = endpoints.messaging
const { subscribe, unsubscribe, updateChannel, updateMessageFlags } = endpoints.messaging
const CHANGES = ['reaction', 'update_message', 'submessage', 'delete_message']
const WATCHED = { event_types: ['message', 'stream', ...CHANGES] }

interface Had {
  readonly watcher: Watcher
  readonly message_id: number
}

export const messageAudienceTests = (system: () => TestSystem): void => {
  describe('a change of a message', () => {
    let ann: ApiClient
    const watchers: Watcher[] = []
    beforeAll(async () => {
      ;[ann] = await newUsers(system(), 1)
    })
    afterEach(() => stopWatching(watchers.splice(0)))

    const watched = async (client: ApiClient) => {
      const watcher = await watch(client, WATCHED)
      watchers.push(watcher)
      return watcher
    }
    const someone = async (role: Role = Role.member): Promise<ApiClient> => {
      if (role !== Role.member) return newUserOfRole(system(), role)
      return (await newUsers(system(), 1))[0]
    }
    /** The types of the message events of each user. */
    const eventsDuring = async (of: readonly Watcher[], act: () => Promise<unknown>) => {
      const isChange = ({ type }: ClientEvent) => CHANGES.includes(type)
      return (await eventsOf(system(), of, act)).map((own) => own.filter(isChange).map(({ type }) => type))
    }
    /** Everything that can happen to it. */
    const change = async (message_id: number) => {
      await ann.call(addReaction, { message_id, emoji_name: 'tada' })
      await ann.call(editMessage, { message_id, content: 'changed' })
      await ann.call(addSubmessage, { message_id, msg_type: 'widget', content: '{}' })
      await ann.call(deleteMessage, { message_id })
    }
    const star = (client: ApiClient, id: number) =>
      client.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'starred' })

    const expectLost = async (person: ApiClient, message_id: number) =>
      expect(await person.send(getMessage, { message_id })).toMatchObject(refusal('BAD_REQUEST'))

    /** A user who received a message in a private channel and is no longer subscribed. */
    const removed = async (role: Role): Promise<Had> => {
      const person = await someone(role)
      const { name } = await newChannel(ann, { others: [person], isPrivate: true })
      const message_id = await sendToChannel(ann, name)
      await person.call(unsubscribe, { subscriptions: [name] })
      await expectLost(person, message_id)
      return { watcher: await watched(person), message_id }
    }
    const left = async (person: ApiClient): Promise<Had> => {
      const { name } = await newChannel(ann, { others: [person] })
      const message_id = await sendToChannel(ann, name)
      await person.call(unsubscribe, { subscriptions: [name] })
      return { watcher: await watched(person), message_id }
    }
    const hidden = async (hasSharedHistory: boolean): Promise<Had> => {
      const person = await someone()
      const { id: stream_id, name } = await newChannel(ann)
      const message_id = await sendToChannel(ann, name)
      await star(person, message_id)
      const privacy = { is_private: true, history_public_to_subscribers: hasSharedHistory }
      await system().owner.call(updateChannel, { stream_id, ...privacy })
      await expectLost(person, message_id)
      return { watcher: await watched(person), message_id }
    }
    const demoted = async (): Promise<Had> => {
      const person = await someone()
      const had = await left(person)
      await system().owner.call(endpoints.users.updateUser, { user_id: person.userId, role: Role.guest })
      await had.watcher.queue.waitFor(({ type, op }) => type === 'stream' && op === 'delete', 'channels go')
      return had
    }

    test.each([
      ['a member who left a private channel', () => removed(Role.member)],
      ['a guest who left a private channel', () => removed(Role.guest)],
      ['a user who starred it before its channel became private', () => hidden(false)],
      ['a user who starred it before its channel became private with its history', () => hidden(true)],
      ['a user who left a public channel and became a guest', demoted],
    ])('is not delivered to %s', async (_, prepare) => {
      const { watcher, message_id } = await prepare()

      const [anns, theirs] = await eventsDuring([await watched(ann), watcher], () => change(message_id))

      expect(anns).toEqual(CHANGES)
      expect(theirs).toEqual([])
    })

    test('is delivered to a user who left a public channel and one who starred it there', async () => {
      const { watcher, message_id } = await left(await someone())
      const other = await someone()
      await star(other, message_id)

      const all = await eventsDuring([watcher, await watched(other)], () => change(message_id))

      expect(all).toEqual([CHANGES, CHANGES])
    })

    test('is delivered again to a user who came back to a private channel', async () => {
      const { name } = await newChannel(ann, { isPrivate: true })
      const person = await someone()
      const principals = [person.userId]
      await ann.call(subscribe, { subscriptions: [{ name }], principals })
      const message_id = await sendToChannel(ann, name)
      await person.call(unsubscribe, { subscriptions: [name] })
      await ann.call(subscribe, { subscriptions: [{ name }], principals })

      expect(await eventsDuring([await watched(person)], () => change(message_id))).toEqual([CHANGES])
    })

    test('is delivered to a user who starred it when it moves out of their access', async () => {
      const { name } = await newChannel(ann)
      const cellar = await newChannel(ann, { isPrivate: true })
      const message_id = await sendToChannel(ann, name)
      const person = await someone()
      await star(person, message_id)

      const move = { message_id, stream_id: cellar.id, send_notification_to_new_thread: false }
      const all = await eventsDuring([await watched(person)], () => ann.call(editMessage, move))

      expect(all).toEqual([['delete_message']])
    })

    test('names its previous private channel only to users who could see it there', async () => {
      const [ben, cem] = await newUsers(system(), 2)
      const cellar = await newChannel(ann, { others: [ben], isPrivate: true })
      const kitchen = await newChannel(ann, { others: [ben, cem] })
      const message_id = await sendToChannel(ann, cellar.name, 'found', 'secret plans')

      const move = { stream_id: kitchen.id, topic: 'news', send_notification_to_new_thread: false }
      const [bens, cems] = await eventsOf(system(), [await watched(ben), await watched(cem)], () =>
        ann.call(editMessage, { message_id, ...move }),
      )

      const changed = { type: 'update_message', message_ids: [message_id], subject: 'news' }
      const { id: stream_id, name: stream_name } = kitchen
      expect(bens).toMatchObject([
        { ...changed, stream_name: cellar.name, orig_subject: 'secret plans', new_stream_id: stream_id },
      ])
      expect(cems).toMatchObject([{ ...changed, stream_id, stream_name, orig_subject: 'news' }])
      expect(cems?.[0]).not.toHaveProperty('new_stream_id')
      expect(JSON.stringify(cems)).not.toContain('secret')
    })
  })
}
