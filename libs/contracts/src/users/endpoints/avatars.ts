import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { pathId, pathText } from '../../declarations/parameter.ts'

const ownAvatar = { owner: 'users', path: '/users/me/avatar', auth: 'user' } as const
const avatarUrl = z.object({ avatar_url: z.string() })

export const uploadOwnAvatar = endpoint({
  ...ownAvatar,
  name: 'uploadOwnAvatar',
  method: 'POST',
  summary: 'Use a picture as your avatar',
  body: 'file',
  maxFileMib: limits.maxPictureMib,
  response: avatarUrl,
  errors: ['BAD_IMAGE'],
})

export const deleteOwnAvatar = endpoint({
  ...ownAvatar,
  name: 'deleteOwnAvatar',
  method: 'DELETE',
  summary: 'Remove your avatar; the gravatar of your address replaces it',
  response: avatarUrl,
})

export const getAvatarPicture = endpoint({
  name: 'getAvatarPicture',
  owner: 'users',
  method: 'GET',
  prefix: '',
  path: '/user_avatars/{realm_id}/{filename}',
  auth: 'public',
  summary: 'Get the picture of an uploaded avatar',
  pathParameters: { realm_id: pathId, filename: pathText },
  answer: 'file',
  response: z.object({}),
})

/** Identifies the user by ID or by API e-mail. */
const avatarOf = {
  owner: 'users',
  method: 'GET',
  prefix: '',
  auth: 'user',
  pathParameters: { id_or_email: pathText },
  answer: 'redirect',
  response: z.object({}),
} as const

export const findAvatar = endpoint({
  ...avatarOf,
  name: 'findAvatar',
  path: '/avatar/{id_or_email}',
  summary: 'Redirect to the avatar of a user',
})

export const findMediumAvatar = endpoint({
  ...avatarOf,
  name: 'findMediumAvatar',
  path: '/avatar/{id_or_email}/medium',
  summary: 'Redirect to the larger avatar of a user',
})
