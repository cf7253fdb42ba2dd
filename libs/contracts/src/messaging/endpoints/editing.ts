import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { optionalJson, optionalText, pathId, text } from '../../declarations/parameter.ts'
import { allowEmptyTopicName, anyTopic } from '../parameters/empty-topic.ts'
import { messageContent } from '../parameters/message-content.ts'
import { attachmentRecord, propagateMode } from '../records.ts'

export const editMessage = endpoint({
  name: 'editMessage',
  owner: 'messaging',
  method: 'PATCH',
  path: '/messages/{message_id}',
  auth: 'user',
  tokenAccess: 'send',
  channelParameters: ['message_id', 'stream_id'],
  summary: "Edit a message's text, or move messages to another topic or channel",
  pathParameters: { message_id: pathId },
  parameters: {
    content: optionalText(messageContent),
    topic: optionalText(z.string(), { aliases: ['subject'], description: anyTopic }),
    stream_id: optionalJson(z.int(), { description: 'The channel to move to.' }),
    propagate_mode: optionalText(propagateMode, {
      description: 'Which messages of the topic move. Default `change_one`.',
    }),
    send_notification_to_old_thread: optionalJson(z.boolean(), { description: 'Default false.' }),
    send_notification_to_new_thread: optionalJson(z.boolean(), { description: 'Default true.' }),
  },
  response: z.object({
    detached_uploads: z
      .array(attachmentRecord)
      .describe('Your files that no message links any longer, because of this edit.'),
  }),
  errors: [
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
})

export const getMessageHistory = endpoint({
  name: 'getMessageHistory',
  owner: 'messaging',
  method: 'GET',
  path: '/messages/{message_id}/history',
  auth: 'user',
  channelParameters: ['message_id'],
  summary: 'List the versions of a message, oldest first',
  pathParameters: { message_id: pathId },
  parameters: { allow_empty_topic_name: allowEmptyTopicName },
  response: z.object({
    message_history: z
      .array(
        z.object({
          user_id: z.int().nullable(),
          /** UNIX seconds. */
          timestamp: z.int(),
          topic: z.string(),
          content: z.string(),
          rendered_content: z.string(),
          prev_topic: z.string().optional(),
          prev_content: z.string().optional(),
          prev_rendered_content: z.string().optional(),
          /** HTML of both versions, with the differences in spans of two classes. */
          content_html_diff: z.string().optional(),
          stream: z.int().optional(),
          prev_stream: z.int().optional(),
        }),
      )
      .describe(
        'If a message was edited more often than `edit_history` can store, the first is the oldest known version.',
      ),
  }),
})

export const deleteMessage = endpoint({
  name: 'deleteMessage',
  owner: 'messaging',
  method: 'DELETE',
  path: '/messages/{message_id}',
  auth: 'user',
  tokenAccess: 'send',
  channelParameters: ['message_id'],
  summary: 'Delete a message',
  pathParameters: { message_id: pathId },
  response: z.object({}),
})

export const deleteTopic = endpoint({
  name: 'deleteTopic',
  owner: 'messaging',
  method: 'POST',
  path: '/streams/{stream_id}/delete_topic',
  auth: 'administrator',
  summary: 'Delete a topic and all messages in it',
  pathParameters: { stream_id: pathId },
  parameters: { topic_name: text(z.string(), { description: anyTopic }) },
  response: z.object({
    /** False if the time limit ended it before everything was deleted; then repeat the request. */
    complete: z.boolean(),
  }),
})
