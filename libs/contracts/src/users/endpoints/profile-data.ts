import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { json } from '../../declarations/parameter.ts'
import { profileValue } from '../profile-value.ts'

export const updateProfileData = endpoint({
  name: 'updateProfileData',
  owner: 'users',
  method: 'PATCH',
  path: '/users/me/profile_data',
  auth: 'user',
  summary: 'Set your custom profile fields',
  parameters: { data: json(z.array(profileValue).max(limits.maxListLength)) },
  response: z.object({}),
})

export const removeProfileData = endpoint({
  name: 'removeProfileData',
  owner: 'users',
  method: 'DELETE',
  path: '/users/me/profile_data',
  auth: 'user',
  summary: 'Clear your custom profile fields',
  parameters: {
    data: json(z.array(z.int()).max(limits.maxListLength), { description: 'IDs of fields.' }),
  },
  response: z.object({}),
})
