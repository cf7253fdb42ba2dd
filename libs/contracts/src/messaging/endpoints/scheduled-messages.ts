import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { json, optionalJson, optionalText, pathId, text } from '../../declarations/parameter.ts'
import { anyTopic, channelTopic } from '../parameters/empty-topic.ts'
import { messageContent } from '../parameters/message-content.ts'
import { messageType } from '../parameters/message-type.ts'
import { scheduledMessageRecord } from '../records.ts'

const addressee = z
  .union([z.int(), z.array(z.int()).min(1)])
  .describe(
    `Channel: its ID. Direct: list of user IDs, at most ${limits.maxDirectMessageRecipients} beside you.`,
  )
/** UNIX seconds, up to the last that a `Date` can represent. */
const deliveryTime = z.int().max(8_640_000_000_000).describe('UNIX seconds; must be in the future.')

export const createScheduledMessage = endpoint({
  name: 'createScheduledMessage',
  owner: 'messaging',
  method: 'POST',
  path: '/scheduled_messages',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Schedule a message',
  parameters: {
    type: text(messageType),
    to: json(addressee),
    content: text(messageContent, {
      description: `You can have at most ${limits.maxScheduledMessages} scheduled messages, of ${limits.maxUnsentMib} MiB in all with their HTML.`,
    }),
    topic: optionalText(z.string(), { description: channelTopic }),
    scheduled_delivery_timestamp: json(deliveryTime),
    read_by_sender: optionalJson(z.boolean(), { description: 'By default it depends on the client name.' }),
  },
  response: z.object({ scheduled_message_id: z.int() }),
  errors: [
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
})

export const listScheduledMessages = endpoint({
  name: 'listScheduledMessages',
  owner: 'messaging',
  method: 'GET',
  path: '/scheduled_messages',
  auth: 'user',
  summary: 'List your undelivered scheduled messages, by their time',
  response: z.object({ scheduled_messages: z.array(scheduledMessageRecord) }),
})

export const updateScheduledMessage = endpoint({
  name: 'updateScheduledMessage',
  owner: 'messaging',
  method: 'PATCH',
  path: '/scheduled_messages/{scheduled_message_id}',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Change a scheduled message',
  pathParameters: { scheduled_message_id: pathId },
  parameters: {
    type: optionalText(messageType, { description: 'Requires `to`, and for channels `topic`.' }),
    to: optionalJson(addressee),
    content: optionalText(messageContent),
    topic: optionalText(z.string(), { description: anyTopic }),
    scheduled_delivery_timestamp: optionalJson(deliveryTime, {
      description: 'UNIX seconds; must be in the future. Required for a message that failed.',
    }),
  },
  response: z.object({}),
  errors: [
    'NO_SUCH_OBJECT',
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
})

export const deleteScheduledMessage = endpoint({
  name: 'deleteScheduledMessage',
  owner: 'messaging',
  method: 'DELETE',
  path: '/scheduled_messages/{scheduled_message_id}',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Delete a scheduled message',
  pathParameters: { scheduled_message_id: pathId },
  response: z.object({}),
  errors: ['NO_SUCH_OBJECT'],
})
