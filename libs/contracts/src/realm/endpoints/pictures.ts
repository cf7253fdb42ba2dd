import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { optionalJson, pathId, pathText } from '../../declarations/parameter.ts'

const icon = { owner: 'realm', path: '/realm/icon' } as const
const logo = { owner: 'realm', path: '/realm/logo' } as const
const night = optionalJson(z.boolean(), {
  description: 'The logo of the dark theme; default: of the light one.',
})

export const uploadIcon = endpoint({
  ...icon,
  name: 'uploadIcon',
  method: 'POST',
  auth: 'administrator',
  summary: "Set the organization's icon",
  body: 'file',
  maxFileMib: limits.maxPictureMib,
  response: z.object({ icon_url: z.string() }),
  errors: ['BAD_IMAGE'],
})

export const deleteIcon = endpoint({
  ...icon,
  name: 'deleteIcon',
  method: 'DELETE',
  auth: 'administrator',
  summary: "Remove the organization's icon; a generated one replaces it",
  response: z.object({ icon_url: z.string() }),
})

export const findIcon = endpoint({
  ...icon,
  name: 'findIcon',
  method: 'GET',
  auth: 'user',
  summary: "Redirect to the organization's icon",
  answer: 'redirect',
  response: z.object({}),
})

export const uploadLogo = endpoint({
  ...logo,
  name: 'uploadLogo',
  method: 'POST',
  auth: 'administrator',
  summary: "Set the organization's wide logo",
  parameters: { night },
  body: 'file',
  maxFileMib: limits.maxPictureMib,
  response: z.object({}),
  errors: ['BAD_IMAGE'],
})

export const deleteLogo = endpoint({
  ...logo,
  name: 'deleteLogo',
  method: 'DELETE',
  auth: 'administrator',
  summary: "Remove the organization's wide logo; clients show their own",
  parameters: { night },
  response: z.object({}),
})

export const findLogo = endpoint({
  ...logo,
  name: 'findLogo',
  method: 'GET',
  auth: 'user',
  summary: "Redirect to the organization's wide logo",
  parameters: { night },
  answer: 'redirect',
  response: z.object({}),
  // For an organization without one.
  errors: ['NO_SUCH_OBJECT'],
})

export const getRealmPicture = endpoint({
  name: 'getRealmPicture',
  owner: 'realm',
  method: 'GET',
  prefix: '',
  path: '/user_avatars/{realm_id}/realm/{filename}',
  auth: 'public',
  summary: 'Get the icon or a wide logo of an organization',
  pathParameters: { realm_id: pathId, filename: pathText },
  answer: 'file',
  response: z.object({}),
})
