import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { pathId } from '../../declarations/parameter.ts'

const response = z.object({
  secret: z.string().describe('In the form of Standard Webhooks: `whsec_`, and the bytes in base64.'),
})

export const getSigningSecret = endpoint({
  name: 'getSigningSecret',
  owner: 'messaging',
  method: 'GET',
  path: '/bots/{bot_user_id}/signing_secret',
  auth: 'user',
  tokenAccess: 'none',
  summary: 'Get the secret with which the calls of an outgoing webhook are signed',
  description:
    'For the owner of the bot and administrators. A bot that gets another owner also gets another secret.',
  pathParameters: { bot_user_id: pathId },
  response,
  errors: ['NO_SUCH_OBJECT'],
})

export const regenerateSigningSecret = endpoint({
  name: 'regenerateSigningSecret',
  owner: 'messaging',
  method: 'POST',
  path: '/bots/{bot_user_id}/signing_secret/regenerate',
  auth: 'user',
  tokenAccess: 'none',
  summary: 'Replace the secret with which the calls of an outgoing webhook are signed',
  description: 'For the owner of the bot and administrators. The next call is signed with the new one.',
  pathParameters: { bot_user_id: pathId },
  response,
  errors: ['NO_SUCH_OBJECT'],
})
