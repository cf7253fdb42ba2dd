import { endpoints } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, success } from '../support/answers.ts'
import { newChannel, newUsers, sendDirectly, sendToChannel } from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, type Watcher, watch } from '../support/watch.ts'

const { archiveChannel, getMessage, unsubscribe, updateMessageFlags, updateSubscriptionSettings } =
  endpoints.messaging
const { register } = endpoints.events

export const flagTests = (system: () => TestSystem): void => {
  describe('POST /messages/flags', () => {
    let ann: ApiClient
    let ben: ApiClient
    let watchers: Watcher[]
    let channel: { name: string; id: number }
    beforeAll(async () => {
      ;[ann, ben] = await newUsers(system(), 2)
      channel = await newChannel(ann, { others: [ben] })
      watchers = [await watch(ben), await watch(ben), await watch(ann)]
    })
    afterAll(() => stopWatching(watchers))

    const flagsOf = async (client: ApiClient, message_id: number) =>
      (await client.call(getMessage, { message_id })).message.flags
    const change = (op: 'add' | 'remove', flag: string, messages: number[], client = ben) =>
      client.send(updateMessageFlags, { messages, op, flag })

    test('marks as read and delivers real changes to the user’s own queues', async () => {
      const ids = [
        await sendToChannel(ann, channel.name),
        await sendToChannel(ann, channel.name),
        await sendToChannel(ann, channel.name),
      ]
      await change('add', 'read', ids.slice(0, 1))

      const [own, ownToo, anns] = await eventsOf(system(), watchers, async () => {
        expect(await change('add', 'read', ids)).toMatchObject(success({ messages: ids }))
      })

      const expected = {
        type: 'update_message_flags',
        op: 'add',
        operation: 'add',
        flag: 'read',
        messages: ids.slice(1),
        all: false,
      }
      expect(own).toEqual([{ id: expect.any(Number), ...expected }])
      expect(ownToo).toEqual(own)
      expect(anns).toEqual([])
      for (const id of ids) expect(await flagsOf(ben, id)).toEqual(['read'])
      expect(await flagsOf(ann, ids[0] ?? 0)).toEqual([])
    })

    test('delivers nothing if nothing changes', async () => {
      const id = await sendToChannel(ann, channel.name)
      await change('add', 'starred', [id])

      const [own] = await eventsOf(system(), watchers, async () => {
        expect(await change('add', 'starred', [id, id])).toMatchObject(success({ messages: [id, id] }))
        expect(await change('remove', 'collapsed', [id])).toMatchObject(success())
        expect(await change('add', 'read', [])).toMatchObject(success({ messages: [] }))
      })

      expect(own).toEqual([])
    })

    test('delivers channel and topic of a message that becomes unread', async () => {
      const inChannel = await sendToChannel(ann, channel.name, 'x', 'lunch')
      const direct = await sendDirectly(ann, [ben])
      await change('add', 'read', [inChannel, direct])

      const [own] = await eventsOf(system(), watchers, () => change('remove', 'read', [inChannel, direct]))

      expect(own).toMatchObject([
        {
          op: 'remove',
          flag: 'read',
          messages: [inChannel, direct],
          message_details: {
            [inChannel]: { type: 'stream', stream_id: channel.id, topic: 'lunch' },
            [direct]: { type: 'private', user_ids: [ann.userId] },
          },
        },
      ])
      expect(await flagsOf(ben, inChannel)).toEqual([])
    })

    test('delivers mentions in a message that becomes unread, wildcard mentions only if nothing is muted', async () => {
      const muted = await newChannel(ann, { others: [ben] })
      await ben.call(updateSubscriptionSettings, {
        subscription_data: [{ stream_id: muted.id, property: 'is_muted', value: true }],
      })
      const toAll = [
        await sendToChannel(ann, channel.name, '@**all**'),
        await sendToChannel(ann, muted.name, '@**all**'),
      ] as const
      // In another channel: a user who is mentioned follows the topic, which is then no longer muted.
      const toBen = await sendToChannel(ann, muted.name, `@**|${ben.userId}**`, 'for you')
      await change('add', 'read', [...toAll, toBen])

      const [own] = await eventsOf(system(), watchers, () => change('remove', 'read', [...toAll, toBen]))

      const details = own?.[0]?.['message_details'] as Record<number, { mentioned?: true }>
      expect(details[toAll[0]]?.mentioned).toBe(true)
      expect(details[toAll[1]]?.mentioned).toBeUndefined()
      expect(details[toBen]?.mentioned).toBe(true)
      const { unread_msgs } = await ben.call(register, {
        fetch_event_types: ['message', 'update_message_flags'],
      })
      expect(unread_msgs).toMatchObject({ mentions: expect.arrayContaining([toAll[0], toBen]) })
      expect(unread_msgs).not.toMatchObject({ mentions: expect.arrayContaining([toAll[1]]) })
    })

    test('adds and removes a star, also on a message that was never received', async () => {
      const elsewhere = await newChannel(ann)
      const id = await sendToChannel(ann, elsewhere.name)

      await change('add', 'starred', [id])
      expect(await flagsOf(ben, id)).toEqual(['read', 'starred', 'historical'])
      await change('remove', 'starred', [id])
      expect(await flagsOf(ben, id)).toEqual(['read', 'historical'])
    })

    test.each<[string, (left: { name: string; id: number }) => Promise<unknown>, object]>([
      ['leaves', ({ name }) => ben.call(unsubscribe, { subscriptions: [name] }), { type: 'subscription' }],
      [
        'is taken out',
        ({ name }) =>
          system().owner.call(unsubscribe, { subscriptions: [name], principals: [ben.userId, ann.userId] }),
        { type: 'subscription' },
      ],
      [
        'is in it when it is archived',
        ({ id }) => system().owner.call(archiveChannel, { stream_id: id }),
        { type: 'stream', op: 'delete' },
      ],
    ])(
      'marks the unread messages of a channel as read, and delivers that first, for a user who %s',
      async (_, leave, end) => {
        const left = await newChannel(ann, { others: [ben] })
        const ids = [
          await sendToChannel(ann, left.name),
          await sendToChannel(ann, left.name),
          await sendToChannel(ann, left.name),
        ]
        await change('add', 'read', ids.slice(1, 2))

        const [own, ownToo] = await eventsOf(system(), watchers, () => leave(left))

        const messages = [ids[0], ids[2]]
        expect(own?.slice(0, 2)).toMatchObject([
          { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', messages, all: false },
          end,
        ])
        expect(ownToo).toEqual(own)
      },
    )

    test('delivers nothing when a user leaves a channel without unread messages', async () => {
      const left = await newChannel(ann, { others: [ben] })
      await change('add', 'read', [await sendToChannel(ann, left.name)])

      const [own = []] = await eventsOf(system(), watchers, () =>
        ben.call(unsubscribe, { subscriptions: [left.name] }),
      )

      expect(own.map(({ type }) => type)).toEqual(['subscription'])
    })

    test('does not mark messages as unread without a subscription', async () => {
      const left = await newChannel(ann, { others: [ben] })
      const id = await sendToChannel(ann, left.name)
      await change('add', 'read', [id])
      await ben.call(unsubscribe, { subscriptions: [left.name] })

      const [own] = await eventsOf(system(), watchers, async () => {
        const answer = await change('remove', 'read', [id])
        expect(answer.body['ignored_because_not_subscribed_channels']).toEqual([left.id])
      })

      expect(own).toEqual([])
    })

    test('does not say that messages which the caller cannot see stay read', async () => {
      const hidden = await newChannel(ann, { isPrivate: true })
      const id = await sendToChannel(ann, hidden.name)

      const answer = await change('remove', 'read', [id])
      expect(answer.body['ignored_because_not_subscribed_channels']).toEqual([])
    })

    test.each([
      ['a flag that only the server sets', 'add', 'mentioned', [1]],
      ['a flag that is none', 'add', 'blue', [1]],
      ['a star for a message that does not exist', 'add', 'starred', [999_999_999]],
      ['a star for a negative ID', 'add', 'starred', [-1]],
      ['an operation that is none', 'toggle', 'read', [1]],
      ['a fraction', 'add', 'read', [1.5]],
      ['an ID beyond all integers', 'add', 'read', [2 ** 63]],
      [
        'more messages than one request may change',
        'add',
        'read',
        Array.from({ length: 10_001 }, (_, i) => i),
      ],
    ])('rejects %s', async (_, op, flag, messages) => {
      expect(await change(op as 'add', flag, messages)).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('rejects a star on a message without access', async () => {
      const id = await sendDirectly(ann, [system().owner])

      expect(await change('add', 'starred', [id])).toMatchObject(refusal('BAD_REQUEST'))
    })

    test('ignores unknown messages if no row would be created', async () => {
      expect(await change('add', 'read', [-1, 0, 999_999_999, 2 ** 53 - 1])).toMatchObject(success())
      expect(await change('remove', 'starred', [999_999_999])).toMatchObject(success())
    })
  })
}
