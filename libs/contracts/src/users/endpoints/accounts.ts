import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { optionalJson, optionalText, pathId, pathText } from '../../declarations/parameter.ts'
import { Role } from '../../permissions/role.ts'
import { FOUND_BY_ADDRESS } from '../found-by-address.ts'
import { profileValue } from '../profile-value.ts'

const updateParameters = {
  full_name: optionalText(z.string(), { description: 'A blank one is ignored.' }),
  role: optionalJson(z.literal(Object.values(Role)), {
    description: '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.',
  }),
  profile_data: optionalJson(z.array(profileValue).max(limits.maxListLength), {
    description: 'Values of custom profile fields; null or an empty value clears one.',
  }),
  new_email: optionalText(z.string(), {
    description:
      'The new e-mail address, in force at once. Only for administrators with that right, which an operator gives.',
  }),
}

export const updateUser = endpoint({
  name: 'updateUser',
  owner: 'users',
  method: 'PATCH',
  path: '/users/{user_id}',
  auth: 'user',
  summary: 'Update a user',
  pathParameters: { user_id: pathId },
  parameters: updateParameters,
  response: z.object({}),
})

export const updateUserByEmail = endpoint({
  name: 'updateUserByEmail',
  owner: 'users',
  method: 'PATCH',
  path: '/users/{email}',
  auth: 'user',
  summary: 'Update a user, found by e-mail address',
  description: FOUND_BY_ADDRESS,
  pathParameters: { email: pathText },
  parameters: updateParameters,
  response: z.object({}),
})

export const deactivateUser = endpoint({
  name: 'deactivateUser',
  owner: 'users',
  method: 'DELETE',
  path: '/users/{user_id}',
  auth: 'user',
  summary: 'Deactivate a user',
  pathParameters: { user_id: pathId },
  parameters: {
    deactivation_notification_comment: optionalText(z.string(), {
      description:
        `If present, the user gets an e-mail with this text, or without it if it is empty; ` +
        `at most ${limits.maxDeactivationCommentLength} characters.`,
    }),
  },
  response: z.object({}),
})

export const deactivateOwnUser = endpoint({
  name: 'deactivateOwnUser',
  owner: 'users',
  method: 'DELETE',
  path: '/users/me',
  auth: 'user',
  summary: 'Deactivate your account',
  response: z.object({}),
  errors: ['CANNOT_DEACTIVATE_LAST_USER'],
})

export const reactivateUser = endpoint({
  name: 'reactivateUser',
  owner: 'users',
  method: 'POST',
  path: '/users/{user_id}/reactivate',
  auth: 'user',
  summary: 'Reactivate a user',
  description: `A bot whose owner is deactivated becomes yours and gets a new API key. Refused for a bot with more power than you, and for a bot whose owner is a member with ${limits.maxActiveBots} active bots.`,
  pathParameters: { user_id: pathId },
  response: z.object({
    /** Of a bot that became the caller's. */
    api_key: z.string().optional(),
  }),
})
