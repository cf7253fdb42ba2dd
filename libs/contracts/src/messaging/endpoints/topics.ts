import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { json, optionalJson, optionalText, pathId, text } from '../../declarations/parameter.ts'
import { allowEmptyTopicName, anyTopic } from '../parameters/empty-topic.ts'
import { VisibilityPolicy } from '../visibility.ts'

export const listTopics = endpoint({
  name: 'listTopics',
  owner: 'messaging',
  method: 'GET',
  path: '/users/me/{stream_id}/topics',
  auth: 'user-or-spectator',
  channelParameters: ['stream_id'],
  summary: 'List the topics of a channel, newest first',
  pathParameters: { stream_id: pathId },
  parameters: { allow_empty_topic_name: allowEmptyTopicName },
  response: z.object({ topics: z.array(z.object({ name: z.string(), max_id: z.int() })) }),
})

export const updateUserTopic = endpoint({
  name: 'updateUserTopic',
  owner: 'messaging',
  method: 'POST',
  path: '/user_topics',
  auth: 'user',
  tokenAccess: 'administer',
  summary: 'Set your visibility policy for a topic',
  description: `You can set one for at most ${limits.maxTopicPolicies} topics, and mute ${limits.maxMutedTopics} of them. Setting 0 always works.`,
  parameters: {
    stream_id: json(z.int()),
    topic: text(z.string(), { description: `It may be a topic without messages. ${anyTopic}` }),
    visibility_policy: json(z.enum(VisibilityPolicy), {
      description: '0 none, 1 muted, 2 unmuted (in a muted channel), 3 followed.',
    }),
  },
  response: z.object({}),
})

export const muteTopic = endpoint({
  name: 'muteTopic',
  owner: 'messaging',
  method: 'PATCH',
  path: '/users/me/subscriptions/muted_topics',
  auth: 'user',
  tokenAccess: 'administer',
  summary: 'Mute or unmute a topic; deprecated, use `POST /user_topics`',
  parameters: {
    stream_id: optionalJson(z.int(), { description: 'Or `stream`; not both.' }),
    stream: optionalText(z.string(), { description: 'Name of the channel.' }),
    topic: text(z.string(), { description: anyTopic }),
    op: text(z.enum(['add', 'remove'])),
  },
  response: z.object({}),
})
