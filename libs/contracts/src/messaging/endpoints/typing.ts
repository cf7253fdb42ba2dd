import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { maxTypingAudience } from '../../declarations/limits.ts'
import { optionalJson, optionalText, text } from '../../declarations/parameter.ts'
import { channelTopic } from '../parameters/empty-topic.ts'

export const setTypingStatus = endpoint({
  name: 'setTypingStatus',
  owner: 'messaging',
  method: 'POST',
  path: '/typing',
  auth: 'user',
  summary: 'Set whether you are typing',
  parameters: {
    type: optionalText(z.enum(['direct', 'stream', 'channel']), {
      description: 'Default `direct`. `stream` is an alias of `channel`.',
    }),
    op: text(z.enum(['start', 'stop'])),
    to: optionalJson(z.array(z.int()), {
      description: `Required for direct: the IDs of the recipients. No events are sent to conversations of more than ${maxTypingAudience} users, nor to channels with more subscribers.`,
    }),
    stream_id: optionalJson(z.int(), { description: 'Required for channels.' }),
    topic: optionalText(z.string(), { description: channelTopic }),
  },
  response: z.object({}),
})
