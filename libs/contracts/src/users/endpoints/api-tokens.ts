import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { json, optionalJson, pathId, text } from '../../declarations/parameter.ts'
import { apiTokenRecord, tokenScope } from '../api-tokens.ts'

export const createApiToken = endpoint({
  name: 'createApiToken',
  owner: 'users',
  method: 'POST',
  path: '/api_tokens',
  auth: 'user',
  tokenAccess: 'none',
  summary: 'Create an API token, for yourself or for a bot that you manage',
  description:
    `The answer is the only one that contains the token. An account can have at most ${limits.maxApiTokens}. Tokens end with ` +
    'the API key of their account, and when the account is deactivated.',
  parameters: {
    name: text(z.string(), {
      description: `What it is for: 1 to ${limits.maxApiTokenNameLength} characters, without surrounding space.`,
    }),
    scopes: json(z.array(tokenScope).min(1).max(10), {
      description: 'What it may do. Each endpoint needs one scope; none includes another.',
    }),
    channel_ids: optionalJson(z.array(z.int()).min(1).max(limits.maxApiTokenChannels), {
      description:
        'Limits it to these channels, which you must see; then it cannot have the scope `administer`. Operations that it may use have `x-token-channels`; direct messages and event queues are not among them.',
    }),
    expires_in_seconds: optionalJson(z.int().min(1).max(limits.maxApiTokenSeconds), {
      description: 'Without it the token never expires.',
    }),
    bot_user_id: optionalJson(z.int(), {
      description: 'The bot as which it acts; without it, you.',
    }),
  },
  response: z.object({
    token: z.string().describe('The password of HTTP Basic, or `Authorization: Bearer`.'),
    api_token: apiTokenRecord,
  }),
})

export const listApiTokens = endpoint({
  name: 'listApiTokens',
  owner: 'users',
  method: 'GET',
  path: '/api_tokens',
  auth: 'user',
  tokenAccess: 'administer',
  summary: 'List the API tokens of you and your bots, oldest first',
  response: z.object({ api_tokens: z.array(apiTokenRecord) }),
})

export const listRealmApiTokens = endpoint({
  name: 'listRealmApiTokens',
  owner: 'users',
  method: 'GET',
  path: '/realm/api_tokens',
  auth: 'administrator',
  summary: 'List the API tokens of everybody in the organization, oldest first',
  parameters: {
    after_id: optionalJson(z.int().nonnegative(), { description: 'Only tokens with higher IDs.' }),
  },
  response: z.object({
    api_tokens: z.array(apiTokenRecord).max(1_000),
    is_complete: z.boolean().describe('False if there are more: ask again after the last ID.'),
  }),
})

export const revokeApiToken = endpoint({
  name: 'revokeApiToken',
  owner: 'users',
  method: 'DELETE',
  path: '/api_tokens/{token_id}',
  auth: 'user',
  summary: 'Revoke an API token of you or your bots; administrators, any token',
  pathParameters: { token_id: pathId },
  response: z.object({}),
  errors: ['NO_SUCH_OBJECT'],
})
