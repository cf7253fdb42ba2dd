import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { json } from '../../parameter.ts'
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
