import { endpoints, systemGroupIds } from '@tms/contracts'
import { sendDirectly, sendToChannel } from '../../support/users-and-channels.ts'
import { outcomeOf, type RowGroup, refusedWhenOn, whenOn } from '../change-row.ts'
import { realmSettingRow, renderedBy } from './realm-setting.ts'

const { deleteMessage, editMessage, getMessage } = endpoints.messaging
const { getReadReceipts, sendMessage } = endpoints.messaging

/** Organization policies on messages. */
export const messagePolicies: RowGroup = {
  subject: 'policies for messages',
  rows: [
    realmSettingRow({
      name: 'editing is forbidden, then a message is edited',
      on: { allow_message_editing: false },
      off: { allow_message_editing: true },
      isRunByEvent: true,
      prepare: async ({ createUser, createChannel, newName }) => {
        const member = await createUser()
        const message_id = await sendToChannel(member, (await createChannel([member])).name)
        return {
          use: async (at) =>
            outcomeOf(await at(member).send(editMessage, { message_id, content: newName('text') })),
          expected: refusedWhenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'edits are hidden, then an edited message is read',
      on: { allow_edit_history: false },
      off: { allow_edit_history: true },
      prepare: async ({ createUser, createChannel }) => {
        const member = await createUser()
        const message_id = await sendToChannel(member, (await createChannel([member])).name)
        await member.call(editMessage, { message_id, content: 'edited' })
        return {
          use: async (at) =>
            (await at(member).call(getMessage, { message_id })).message.edit_history === undefined,
          expected: whenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'topics are for moderators to change, then a member changes one',
      on: { edit_topic_policy: 4 },
      off: { edit_topic_policy: 5 },
      prepare: async ({ createUser, createChannel, newName }) => {
        const [member, other] = [await createUser(), await createUser()]
        const message_id = await sendToChannel(member, (await createChannel([member, other])).name)
        return {
          use: async (at) =>
            outcomeOf(await at(other).send(editMessage, { message_id, topic: newName('topic') })),
          expected: refusedWhenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'messages are for moderators to move, then a member moves one',
      on: { move_messages_between_streams_policy: 4 },
      off: { move_messages_between_streams_policy: 1 },
      prepare: async ({ createUser, createChannel }) => {
        const member = await createUser()
        const [one, other] = [await createChannel([member]), await createChannel([member])]
        let message_id = 0
        return {
          prepareTurn: async () => {
            message_id = await sendToChannel(member, one.name)
          },
          use: async (at) =>
            outcomeOf(await at(member).send(editMessage, { message_id, stream_id: other.id })),
          expected: refusedWhenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'messages are for administrators to delete, then a member deletes one',
      on: { delete_own_message_policy: 2 },
      off: { delete_own_message_policy: 5 },
      prepare: async ({ createUser, createChannel }) => {
        const member = await createUser()
        const { name } = await createChannel([member])
        let message_id = 0
        return {
          prepareTurn: async () => {
            message_id = await sendToChannel(member, name)
          },
          use: async (at) => outcomeOf(await at(member).send(deleteMessage, { message_id })),
          expected: refusedWhenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'read receipts are turned off, then asked for',
      on: { enable_read_receipts: false },
      off: { enable_read_receipts: true },
      prepare: async ({ createUser, createChannel }) => {
        const member = await createUser()
        const message_id = await sendToChannel(member, (await createChannel([member])).name)
        return {
          use: async (at) => outcomeOf(await at(member).send(getReadReceipts, { message_id })),
          expected: refusedWhenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'topics are made mandatory, then a message is sent without one',
      on: { mandatory_topics: true },
      off: { mandatory_topics: false },
      prepare: async ({ createUser, createChannel }) => {
        const member = await createUser()
        const { id } = await createChannel([member])
        const message = { type: 'channel', to: id, topic: '(no topic)', content: 'x' } as const
        return {
          use: async (at) => outcomeOf(await at(member).send(sendMessage, message)),
          expected: refusedWhenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'direct messages are turned off, then one is sent',
      on: { private_message_policy: 2 },
      off: { private_message_policy: 1 },
      prepare: async ({ createUser }) => {
        const [member, other] = [await createUser(), await createUser()]
        const message = { type: 'direct' as const, to: [other.userId], content: 'x' }
        return {
          use: async (at) => outcomeOf(await at(member).send(sendMessage, message)),
          expected: refusedWhenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'conversations are for moderators to begin, then a member begins one',
      on: { direct_message_initiator_group: systemGroupIds['role:moderators'] },
      off: { direct_message_initiator_group: systemGroupIds['role:everyone'] },
      prepare: async ({ createUser }) => {
        const member = await createUser()
        const others = await Promise.all(Array.from({ length: 8 }, () => createUser()))
        let conversations = 0
        return {
          use: async (at) => {
            // New users each time: participants of an existing conversation may continue it.
            const chosen = ++conversations % 2 ** others.length
            const to = others.filter((_, index) => (chosen >> index) % 2 === 1).map(({ userId }) => userId)
            return outcomeOf(await at(member).send(sendMessage, { type: 'direct', to, content: 'x' }))
          },
          expected: refusedWhenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'direct messages need a moderator, then members write to each other',
      on: { direct_message_permission_group: systemGroupIds['role:moderators'] },
      off: { direct_message_permission_group: systemGroupIds['role:everyone'] },
      prepare: async ({ createUser }) => {
        const [member, other] = [await createUser(), await createUser()]
        await sendDirectly(member, [other])
        const message = { type: 'direct' as const, to: [other.userId], content: 'x' }
        return {
          use: async (at) => outcomeOf(await at(member).send(sendMessage, message)),
          expected: refusedWhenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'previews of pictures are turned off, then a link to one is rendered',
      on: { inline_image_preview: false },
      off: { inline_image_preview: true },
      prepare: async ({ createUser }) => {
        const member = await createUser()
        return {
          use: async (at) =>
            !(await renderedBy(at(member), 'https://example.com/cat.png')).includes('message_inline_image'),
          expected: whenOn,
        }
      },
    }),
    realmSettingRow({
      name: 'code is in Python unless it says so, then a block is rendered',
      on: { default_code_block_language: 'python' },
      off: { default_code_block_language: '' },
      prepare: async ({ createUser }) => {
        const member = await createUser()
        return {
          use: async (at) => (await renderedBy(at(member), '```\npass\n```')).includes('"Python"'),
          expected: whenOn,
        }
      },
    }),
  ],
}
