import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { optionalText, pathRest } from '../../declarations/parameter.ts'

export const getScimToken = endpoint({
  name: 'getScimToken',
  owner: 'users',
  method: 'GET',
  path: '/realm/scim_token',
  auth: 'owner',
  summary: 'Get whether the organization has a token for provisioning (SCIM), and since when',
  response: z.object({
    scim_url: z.string().describe('The address to give to the provisioning system.'),
    scim_token: z
      .object({
        created_at: z.int().describe('UNIX seconds.'),
        creator_id: z.int().nullable().describe('Null if an operator made it.'),
      })
      .nullable()
      .describe('Null if there is none; then nothing can provision.'),
  }),
})

export const createScimToken = endpoint({
  name: 'createScimToken',
  owner: 'users',
  method: 'POST',
  path: '/realm/scim_token',
  auth: 'owner',
  tokenAccess: 'none',
  summary: 'Create the token for provisioning (SCIM); the one before is no longer valid',
  response: z.object({
    scim_url: z.string().describe('The address to give to the provisioning system.'),
    scim_token: z.string().describe('Shown only in this answer.'),
  }),
})

export const deleteScimToken = endpoint({
  name: 'deleteScimToken',
  owner: 'users',
  method: 'DELETE',
  path: '/realm/scim_token',
  auth: 'owner',
  summary: 'Delete the token for provisioning (SCIM), if there is one',
  response: z.object({}),
})

/** Resources of SCIM 2.0 (RFC 7644); `path` names them, and the users service finds its way among them. */
const scim = {
  owner: 'users',
  prefix: '',
  path: '/scim/v2/{path}',
  auth: 'provisioner',
  answer: 'scim',
  pathParameters: { path: pathRest },
  response: z.object({}),
} as const
const withDocument = { ...scim, body: 'bytes', maxFileMib: 1 } as const
const selection = {
  attributes: optionalText(z.string()),
  excludedAttributes: optionalText(z.string()),
}

export const getScimResources = endpoint({
  ...scim,
  name: 'getScimResources',
  method: 'GET',
  summary: 'Get people or groups, or what the service can do',
  parameters: {
    ...selection,
    filter: optionalText(z.string()),
    startIndex: optionalText(z.string()),
    count: optionalText(z.string()),
  },
})

export const createScimResource = endpoint({
  ...withDocument,
  name: 'createScimResource',
  method: 'POST',
  summary: 'Create a person or a group, or search',
  parameters: selection,
})

export const replaceScimResource = endpoint({
  ...withDocument,
  name: 'replaceScimResource',
  method: 'PUT',
  summary: 'Replace a person or a group',
  parameters: selection,
})

export const patchScimResource = endpoint({
  ...withDocument,
  name: 'patchScimResource',
  method: 'PATCH',
  summary: 'Change parts of a person or a group',
  parameters: selection,
})

export const deleteScimResource = endpoint({
  ...scim,
  name: 'deleteScimResource',
  method: 'DELETE',
  summary: 'Deactivate a person or a group for good',
})
