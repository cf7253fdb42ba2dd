import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { json } from '../../declarations/parameter.ts'

const DEPRECATED =
  'Deprecated, for older clients: the newest message that you have viewed. Newer clients use unread messages.'

export const getPointer = endpoint({
  name: 'getPointer',
  owner: 'messaging',
  method: 'GET',
  path: '/users/me/pointer',
  auth: 'user',
  summary: 'Get your pointer',
  description: DEPRECATED,
  response: z.object({ pointer: z.int().describe('-1 if it was never set.') }),
})

export const updatePointer = endpoint({
  name: 'updatePointer',
  owner: 'messaging',
  method: 'POST',
  path: '/users/me/pointer',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Move your pointer forwards',
  description: `${DEPRECATED} It never moves back, and marks nothing as read.`,
  parameters: { pointer: json(z.int(), { description: 'A message that you can see.' }) },
  response: z.object({}),
})
