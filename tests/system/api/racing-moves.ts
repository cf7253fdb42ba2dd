import { endpoints } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { success } from '../support/answers.ts'
import { holdChannelLock } from '../support/row-locks.ts'
import { newChannel, newUsers, sendToChannel } from '../support/users-and-channels.ts'

const {
  addReaction,
  addSubmessage,
  deleteMessage,
  editMessage,
  getMessage,
  getReadReceipts,
  removeReaction,
  updateMessageFlags,
} = endpoints.messaging
const RACES = 20

export const racingMoveTests = (system: () => TestSystem): void => {
  let ann: ApiClient
  let ben: ApiClient
  let kitchen: { name: string; id: number }
  let garden: { name: string; id: number }
  beforeAll(async () => {
    ;[ann, ben] = await newUsers(system(), 2)
    kitchen = await newChannel(ann, { others: [ben] })
    garden = await newChannel(ann, { others: [ben] })
  })

  const flag = (message_id: number, op: 'add' | 'remove', name: string, client = ann) =>
    client.send(updateMessageFlags, { messages: [message_id], op, flag: name })
  const react = (message_id: number) => ({ message_id, emoji_name: 'tada' })
  type Act = (message_id: number) => Promise<{ status: number }>
  const nothing: Act = () => Promise.resolve({ status: 200 })
  /** What Ann does with her message, what she did before, and whether it waits for the locks of a move. */
  const acts: [name: string, act: Act, before?: Act, waits?: boolean][] = [
    ['deleting', (message_id) => ann.send(deleteMessage, { message_id })],
    ['editing', (message_id) => ann.send(editMessage, { message_id, content: 'changed' })],
    ['reacting', (message_id) => ann.send(addReaction, react(message_id))],
    [
      'taking a reaction back',
      (id) => ann.send(removeReaction, react(id)),
      (id) => ann.send(addReaction, react(id)),
    ],
    [
      'a submessage',
      (message_id) => ann.send(addSubmessage, { message_id, msg_type: 'widget', content: '{}' }),
    ],
    ['starring', (id) => flag(id, 'add', 'starred')],
    ['marking as unread', (id) => flag(id, 'remove', 'read'), (id) => flag(id, 'add', 'read')],
    ['unstarring', (id) => flag(id, 'remove', 'starred'), (id) => flag(id, 'add', 'starred'), false],
    ['marking as read', (id) => flag(id, 'add', 'read', ben), nothing, false],
    ['read receipts', (message_id) => ann.send(getReadReceipts, { message_id }), nothing, false],
  ]
  const move = (message_id: number, stream_id: number) =>
    ben.send(editMessage, { message_id, stream_id, send_notification_to_new_thread: false })
  const channelOf = async (message_id: number) =>
    (await ben.call(getMessage, { message_id })).message.stream_id

  describe('while another user moves the message', () => {
    test.each(acts)('%s succeeds every time', async (_, act, before = nothing) => {
      for (let race = 0; race < RACES; race++) {
        const id = await sendToChannel(ann, kitchen.name, `race ${race}`)
        await before(id)
        const moving = move(id, garden.id)
        const [acted] = await Promise.all([act(id), moving])
        expect(acted).toMatchObject(success())
      }
    })

    test.each(acts.filter(([, , , waits = true]) => waits))(
      '%s applies to the moved message when the move comes first',
      async (name, act, before = nothing) => {
        const id = await sendToChannel(ann, kitchen.name)
        await before(id)
        const lock = await holdChannelLock(system(), kitchen.id)
        const moving = move(id, garden.id)
        await lock.waitForWaiters(1)
        const acting = act(id)
        await lock.waitForWaiters(2)
        await lock.release()

        expect(await moving).toMatchObject(success())
        expect(await acting).toMatchObject(success())
        if (name === 'deleting') {
          expect(await ben.send(getMessage, { message_id: id })).toMatchObject({ status: 400 })
        } else expect(await channelOf(id)).toBe(garden.id)
      },
    )
  })
}
