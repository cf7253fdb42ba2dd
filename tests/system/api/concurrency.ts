import { endpoints } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  newChannel,
  newChannelName,
  newUsers,
  sendDirectly,
  sendToChannel,
} from '../support/users-and-channels.ts'
import { eventsOf, stopWatching, type Watcher, watch } from '../support/watch.ts'

const { getMessage, listSubscriptions, subscribe, unsubscribe, updateMessageFlags } = endpoints.messaging
const AT_ONCE = 8

export const concurrencyTests = (system: () => TestSystem): void => {
  describe('at the same time', () => {
    let ann: ApiClient
    let ben: ApiClient
    let watcher: Watcher
    beforeAll(async () => {
      ;[ann, ben] = await newUsers(system(), 2)
      watcher = await watch(system().owner)
    })
    afterAll(() => stopWatching([watcher]))
    const atOnce = <T>(act: (index: number) => Promise<T>): Promise<T[]> =>
      Promise.all(Array.from({ length: AT_ONCE }, (_, index) => act(index)))

    test('several users create one channel', async () => {
      const name = newChannelName()
      const [events = []] = await eventsOf(system(), [watcher], () =>
        atOnce((index) =>
          (index % 2 === 0 ? ann : ben).call(subscribe, {
            subscriptions: [{ name: index < 4 ? name : name.toUpperCase() }],
          }),
        ),
      )

      const created = events.filter(({ type, op }) => type === 'stream' && op === 'create')
      const joined = events.flatMap(({ op, user_ids }) => (op === 'peer_add' ? (user_ids as number[]) : []))
      expect(created).toHaveLength(1)
      expect(joined.sort((a, b) => a - b)).toEqual([ann.userId, ben.userId])
    })

    test('several requests create one user, and one succeeds', async () => {
      const answers = await atOnce((index) =>
        system().owner.send(endpoints.users.createUser, {
          email: 'wanted@example.com',
          password: 'a long password, wanted',
          full_name: `Wanted ${index}`,
        }),
      )

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const { status, body } of answers) {
        if (status !== 200)
          expect({ status, code: body['code'] }).toEqual({ status: 400, code: 'BAD_REQUEST' })
      }
    })

    test('several users start one conversation', async () => {
      const ids = await atOnce((index) =>
        index % 2 === 0 ? sendDirectly(ann, [ben]) : sendDirectly(ben, [ann]),
      )
      const recipientIds = await Promise.all(
        ids.map(async (message_id) => (await ann.call(getMessage, { message_id })).message.recipient_id),
      )

      expect(new Set(ids).size).toBe(AT_ONCE)
      expect(new Set(recipientIds).size).toBe(1)
    })

    test('a user joins and leaves, and ends up as the last event says', async () => {
      const { name } = await newChannel(ann)
      const [events = []] = await eventsOf(system(), [watcher], () =>
        atOnce<unknown>((index) =>
          index % 2 === 0
            ? ben.call(subscribe, { subscriptions: [{ name }] })
            : ben.call(unsubscribe, { subscriptions: [name] }),
        ),
      )

      const { subscriptions } = await ben.call(listSubscriptions, {})
      const operations = events.map(({ op }) => op)
      const isIn = subscriptions.some((subscription) => subscription.name === name)
      expect(isIn).toBe(operations.at(-1) === 'peer_add')
      for (const [index, op] of operations.entries())
        expect(op).toBe(index % 2 === 0 ? 'peer_add' : 'peer_remove')
    })

    test('a message is marked as read once', async () => {
      const { name } = await newChannel(ann, { others: [ben] })
      const id = await sendToChannel(ann, name)
      const reader = await watch(ben)
      const [events = []] = await eventsOf(system(), [reader], () =>
        atOnce(() => ben.call(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' })),
      )
      await stopWatching([reader])

      expect(events).toMatchObject([{ type: 'update_message_flags', op: 'add', messages: [id] }])
    })
  })
}
