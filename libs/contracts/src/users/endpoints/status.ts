import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { optionalJson, optionalText, pathId } from '../../declarations/parameter.ts'
import { reactionType } from '../../emoji/reaction-type.ts'
import { userStatus } from '../presence.ts'

export const updateStatus = endpoint({
  name: 'updateStatus',
  owner: 'users',
  method: 'POST',
  path: '/users/me/status',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Change your status',
  parameters: {
    status_text: optionalText(z.string(), {
      description: `At most ${limits.maxStatusLength} characters; an empty one clears it.`,
    }),
    away: optionalJson(z.boolean(), { description: 'Deprecated: turns `presence_enabled` off.' }),
    emoji_name: optionalText(z.string(), {
      description:
        'An empty one clears the emoji. With the code of a Unicode emoji, an unknown name is replaced by its usual name.',
    }),
    emoji_code: optionalText(z.string(), { description: 'Default: the code of the named emoji.' }),
    reaction_type: optionalText(reactionType, { description: 'Default: the type of the named emoji.' }),
  },
  response: z.object({}),
})

export const getStatus = endpoint({
  name: 'getStatus',
  owner: 'users',
  method: 'GET',
  path: '/users/{user_id}/status',
  auth: 'user',
  summary: "Get a user's status",
  pathParameters: { user_id: pathId },
  response: z.object({ status: userStatus }),
})
