import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { optionalJson, pathId, pathText, text } from '../../declarations/parameter.ts'
import { FOUND_BY_ADDRESS } from '../found-by-address.ts'
import { userWithActivity } from '../records.ts'

const gravatarParameters = {
  client_gravatar: optionalJson(z.boolean(), {
    description:
      'True (default): `avatar_url` is null for users whose avatar the client computes from the e-mail.',
  }),
  include_custom_profile_fields: optionalJson(z.boolean(), {
    description: 'Adds `profile_data`. Default false.',
  }),
}

export const createUser = endpoint({
  name: 'createUser',
  owner: 'users',
  method: 'POST',
  path: '/users',
  auth: 'administrator',
  summary: 'Create a user',
  parameters: { email: text(z.string()), password: text(z.string()), full_name: text(z.string()) },
  response: z.object({ user_id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const listUsers = endpoint({
  name: 'listUsers',
  owner: 'users',
  method: 'GET',
  path: '/users',
  auth: 'user',
  summary: 'List all users of the organization',
  parameters: gravatarParameters,
  response: z.object({ members: z.array(userWithActivity) }),
})

export const getOwnUser = endpoint({
  name: 'getOwnUser',
  owner: 'users',
  method: 'GET',
  path: '/users/me',
  auth: 'user',
  summary: 'Get your own user',
  response: userWithActivity.extend({ max_message_id: z.int() }),
})

export const getUser = endpoint({
  name: 'getUser',
  owner: 'users',
  method: 'GET',
  path: '/users/{user_id}',
  auth: 'user',
  summary: 'Get a user by ID',
  pathParameters: { user_id: pathId },
  parameters: gravatarParameters,
  response: z.object({ user: userWithActivity }),
})

export const getUserByEmail = endpoint({
  name: 'getUserByEmail',
  owner: 'users',
  method: 'GET',
  path: '/users/{email}',
  auth: 'user',
  summary: 'Get a user by e-mail address',
  description: FOUND_BY_ADDRESS,
  pathParameters: { email: pathText },
  parameters: gravatarParameters,
  response: z.object({ user: userWithActivity }),
})
