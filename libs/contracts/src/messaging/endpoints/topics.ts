import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { pathId } from '../../parameter.ts'

export const listTopics = endpoint({
  name: 'listTopics',
  owner: 'messaging',
  method: 'GET',
  path: '/users/me/{stream_id}/topics',
  auth: 'user',
  summary: 'List the topics of a channel, newest first',
  pathParameters: { stream_id: pathId },
  response: z.object({ topics: z.array(z.object({ name: z.string(), max_id: z.int() })) }),
})
