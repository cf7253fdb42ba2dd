import { endpoints } from '@tms/contracts'
import { sendToChannel } from '../../support/users-and-channels.ts'
import { json, narrowsNaming, ofChannels, ofMessages, textNaming } from '../naming.ts'
import type { Fields, SamplesOf } from '../sample.ts'
import type { SampleObjects } from '../sample-objects.ts'

const newMessage = async ({ owner, channel }: SampleObjects): Promise<Fields> => ({
  message_id: String(await sendToChannel(owner, channel.name)),
})
const page = { anchor: 'newest', num_before: '10', num_after: '10' }

export const messageSamples = {
  editMessage: {
    valid: ({ messageId }) => ({ message_id: messageId, content: 'y' }),
    foreign: (names, own) => [
      ...ofMessages({ content: 'y' })(names, own),
      { message_id: own.message, stream_id: names.channel },
      { message_id: own.message, stream_id: names.privateChannel },
      // Without a file, which only the first edit would detach.
      { message_id: own.privateMessage, content: textNaming(names) },
    ],
  },
  getMessageHistory: {
    valid: ({ messageId }) => ({ message_id: messageId }),
    foreign: ofMessages(),
  },
  deleteMessage: {
    valid: newMessage,
    foreign: ofMessages(),
  },
  deleteTopic: {
    valid: ({ channel }) => ({ stream_id: String(channel.id), topic_name: 'another topic' }),
    foreign: (names, own) => ofChannels({ topic_name: names.topic })(names, own),
  },
  updateMessageFlags: {
    valid: ({ messageId }) => ({ messages: `[${messageId}]`, op: 'add', flag: 'starred' }),
    foreign: ({ message, privateMessage, directMessage }) =>
      [message, privateMessage, directMessage].flatMap((id) =>
        ['add', 'remove'].map((op) => ({ messages: `[${id}]`, op, flag: 'starred' })),
      ),
  },
  updateFlagsForNarrow: {
    valid: {
      anchor: 'newest',
      num_before: '2',
      num_after: '0',
      narrow: '[["search","x"]]',
      op: 'add',
      flag: 'read',
    },
    foreign: (names) =>
      narrowsNaming(names).map((narrow) => ({ ...page, narrow, op: 'add', flag: 'starred' })),
  },
  markChannelAsRead: {
    valid: ({ channel }) => ({ stream_id: String(channel.id) }),
    foreign: ofChannels(),
  },
  markTopicAsRead: {
    valid: ({ channel }) => ({ stream_id: String(channel.id), topic_name: 'a topic' }),
    foreign: (names, own) => ofChannels({ topic_name: names.topic })(names, own),
  },
  getReadReceipts: {
    valid: ({ messageId }) => ({ message_id: messageId }),
    foreign: ofMessages(),
  },
  sendMessage: {
    valid: ({ channel }) => ({ type: 'channel', to: channel.name, topic: 'a topic', content: 'x' }),
    foreign: ({ user, bot, email, channel, privateChannel, channelName, group }) => [
      { type: 'channel', to: channel, topic: 'x', content: 'x' },
      { type: 'channel', to: privateChannel, topic: 'x', content: 'x' },
      { type: 'channel', to: json(channelName), topic: 'x', content: 'x' },
      { type: 'direct', to: `[${user}]`, content: 'x' },
      { type: 'direct', to: `[${bot}]`, content: 'x' },
      { type: 'direct', to: json([email]), content: `x @*${group}*` },
    ],
  },
  getMessages: {
    valid: { anchor: 'newest', num_before: '5', num_after: '0' },
    foreign: (names) => [
      ...narrowsNaming(names).map((narrow) => ({ ...page, narrow })),
      { ...page, anchor: names.message },
    ],
  },
  findMatchingMessages: {
    valid: ({ messageId }) => ({ msg_ids: `[${messageId}]`, narrow: '[["search","x"]]' }),
    foreign: (names) => [
      { msg_ids: `[${names.message}]`, narrow: '[["search","hello"]]' },
      ...narrowsNaming(names).map((narrow) => ({
        msg_ids: `[${names.message},${names.directMessage}]`,
        narrow,
      })),
    ],
  },
  getMessage: {
    valid: ({ messageId }) => ({ message_id: messageId }),
    foreign: ofMessages(),
  },
  renderMessage: {
    valid: { content: 'x' },
    foreign: (names) => [{ content: textNaming(names) }],
  },
  updatePointer: {
    valid: ({ messageId }) => ({ pointer: messageId }),
    foreign: ({ message, privateMessage, directMessage }) =>
      [message, privateMessage, directMessage].map((pointer) => ({ pointer })),
  },
  addReaction: {
    valid: async (objects) => ({ ...(await newMessage(objects)), emoji_name: 'tada' }),
    foreign: (names, own) => [
      ...ofMessages({ emoji_name: 'tada' })(names, own),
      { message_id: own.message, emoji_name: names.emojiName },
      { message_id: own.message, emoji_name: 'x', emoji_code: names.emojiId, reaction_type: 'realm_emoji' },
    ],
  },
  removeReaction: {
    valid: async ({ owner, channel }) => {
      const id = await sendToChannel(owner, channel.name)
      await owner.call(endpoints.messaging.addReaction, { message_id: id, emoji_name: 'tada' })
      return { message_id: String(id), emoji_code: '1f389' }
    },
    foreign: ofMessages({ emoji_name: 'tada' }),
  },
  addSubmessage: {
    valid: ({ messageId }) => ({ message_id: messageId, msg_type: 'widget', content: '{}' }),
    foreign: ofMessages({ msg_type: 'widget', content: '{}' }),
  },
  setEditTypingStatus: {
    valid: ({ messageId }) => ({ message_id: messageId, op: 'start' }),
    foreign: ofMessages({ op: 'start' }),
  },
  setMessageEditTyping: {
    valid: ({ messageId }) => ({ message_id: messageId, op: 'start' }),
    foreign: ofMessages({ op: 'start' }),
  },
  setTypingStatus: {
    valid: ({ member }) => ({ op: 'start', to: `[${member.userId}]` }),
    foreign: ({ user, channel }) => [
      { op: 'start', to: `[${user}]` },
      { op: 'start', type: 'stream', stream_id: channel, topic: 'x' },
      { op: 'start', type: 'channel', to: `[${channel}]`, topic: 'x' },
    ],
  },
} satisfies SamplesOf<'messaging'>
