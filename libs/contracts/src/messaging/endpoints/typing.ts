import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { maxTypingAudience } from '../../declarations/limits.ts'
import { json, optionalJson, optionalText, pathId, text } from '../../declarations/parameter.ts'
import { channelTopic } from '../parameters/empty-topic.ts'

const op = text(z.enum(['start', 'stop']))

export const setTypingStatus = endpoint({
  name: 'setTypingStatus',
  owner: 'messaging',
  method: 'POST',
  path: '/typing',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Set whether you are typing',
  parameters: {
    type: optionalText(z.enum(['direct', 'stream', 'channel']), {
      description: 'Default `direct`. `stream` is an alias of `channel`.',
    }),
    op,
    to: optionalJson(z.array(z.int()), {
      description: `Required for direct: the IDs of the recipients. No events are sent to conversations of more than ${maxTypingAudience} users, nor to channels with more subscribers.`,
    }),
    stream_id: optionalJson(z.int(), { description: 'Required for channels.' }),
    topic: optionalText(z.string(), { description: channelTopic }),
  },
  response: z.object({}),
})

export const setEditTypingStatus = endpoint({
  name: 'setEditTypingStatus',
  owner: 'messaging',
  method: 'POST',
  path: '/messages/{message_id}/typing',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Set whether you are editing a message',
  description: `Only for a message whose text you may edit. No events are sent to conversations of more than ${maxTypingAudience} users, nor to channels with more subscribers.`,
  pathParameters: { message_id: pathId },
  parameters: { op },
  response: z.object({}),
})

export const setMessageEditTyping = endpoint({
  name: 'setMessageEditTyping',
  owner: 'messaging',
  method: 'POST',
  path: '/message_edit_typing',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Set whether you are editing a message, by an older path',
  parameters: { message_id: json(z.int()), op },
  response: z.object({}),
})
