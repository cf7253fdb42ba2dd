import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { json, optionalJson, pathId, text } from '../../declarations/parameter.ts'
import { anyTopic } from '../parameters/empty-topic.ts'
import { requiredNarrow } from '../parameters/narrow.ts'

const op = text(z.enum(['add', 'remove']))
const flag = text(z.string(), { description: '`read`, `starred` or `collapsed`.' })

const ignoredChannels = {
  ignored_because_not_subscribed_channels: z
    .array(z.int())
    .describe('Channels whose messages were not marked as unread, since you are not subscribed.'),
}

export const updateMessageFlags = endpoint({
  name: 'updateMessageFlags',
  owner: 'messaging',
  method: 'POST',
  path: '/messages/flags',
  auth: 'user',
  tokenAccess: 'send',
  channelParameters: ['messages'],
  summary: 'Add or remove a flag on messages',
  parameters: { messages: json(z.array(z.int())), op, flag },
  response: z.object({ messages: z.array(z.int()), ...ignoredChannels }),
})

export const updateFlagsForNarrow = endpoint({
  name: 'updateFlagsForNarrow',
  owner: 'messaging',
  method: 'POST',
  path: '/messages/flags/narrow',
  auth: 'user',
  tokenAccess: 'send',
  channelParameters: ['narrow'],
  summary: 'Add or remove a flag on a range of the messages in a narrow',
  parameters: {
    anchor: text(z.string(), { description: 'A message ID, `newest`, `oldest` or `first_unread`.' }),
    include_anchor: optionalJson(z.boolean(), { description: 'Default true.' }),
    num_before: json(z.int().nonnegative(), { description: 'May be lowered.' }),
    num_after: json(z.int().nonnegative(), { description: 'May be lowered.' }),
    narrow: requiredNarrow,
    op,
    flag,
  },
  response: z.object({
    ...ignoredChannels,
    /** Messages in the range. */
    processed_count: z.int(),
    /** Those of them whose flag changed. */
    updated_count: z.int(),
    first_processed_id: z.int().nullable(),
    last_processed_id: z.int().nullable(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
  }),
  errors: ['BAD_NARROW', 'REQUEST_VARIABLE_INVALID'],
})

export const markAllAsRead = endpoint({
  name: 'markAllAsRead',
  owner: 'messaging',
  method: 'POST',
  path: '/mark_all_as_read',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Mark everything as read (deprecated: use flags of a narrow)',
  response: z.object({ complete: z.boolean() }),
})

export const markChannelAsRead = endpoint({
  name: 'markChannelAsRead',
  owner: 'messaging',
  method: 'POST',
  path: '/mark_stream_as_read',
  auth: 'user',
  tokenAccess: 'send',
  channelParameters: ['stream_id'],
  summary: "Mark a channel's messages as read (deprecated: use flags of a narrow)",
  parameters: { stream_id: json(z.int()) },
  response: z.object({}),
})

export const markTopicAsRead = endpoint({
  name: 'markTopicAsRead',
  owner: 'messaging',
  method: 'POST',
  path: '/mark_topic_as_read',
  auth: 'user',
  tokenAccess: 'send',
  channelParameters: ['stream_id'],
  summary: "Mark a topic's messages as read (deprecated: use flags of a narrow)",
  parameters: { stream_id: json(z.int()), topic_name: text(z.string(), { description: anyTopic }) },
  response: z.object({}),
})

export const getReadReceipts = endpoint({
  name: 'getReadReceipts',
  owner: 'messaging',
  method: 'GET',
  path: '/messages/{message_id}/read_receipts',
  auth: 'user',
  channelParameters: ['message_id'],
  summary: 'List the users who have read a message',
  pathParameters: { message_id: pathId },
  response: z.object({ user_ids: z.array(z.int()) }),
})
