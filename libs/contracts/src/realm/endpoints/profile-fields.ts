import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { json, optionalJson, optionalText, pathId } from '../../declarations/parameter.ts'
import { profileField, profileFieldType } from '../profile-fields.ts'

export const listProfileFields = endpoint({
  name: 'listProfileFields',
  owner: 'realm',
  method: 'GET',
  path: '/realm/profile_fields',
  auth: 'user',
  summary: 'List the custom profile fields, in their order',
  response: z.object({ custom_fields: z.array(profileField) }),
})

const fieldParameters = {
  name: optionalText(z.string(), { description: 'At most 40 characters; unique.' }),
  hint: optionalText(z.string(), { description: 'At most 80 characters.' }),
  field_data: optionalJson(z.record(z.string(), z.unknown()), {
    description:
      'For a list of options: `{"key": {"text", "order"}}`. For an external account: `{"subtype"}`, or `{"subtype": "custom", "url_pattern"}` with `%(username)s` in the pattern.',
  }),
  display_in_profile_summary: optionalJson(z.boolean(), {
    description: 'Allowed for at most two fields, and not for long texts or users.',
  }),
  required: optionalJson(z.boolean(), { description: 'Clients ask users to fill it in.' }),
  editable_by_user: optionalJson(z.boolean(), {
    description: 'Whether users who are not administrators fill it in themselves. Default true.',
  }),
}

export const createProfileField = endpoint({
  name: 'createProfileField',
  owner: 'realm',
  method: 'POST',
  path: '/realm/profile_fields',
  auth: 'administrator',
  summary: 'Add a custom profile field after all others',
  parameters: { ...fieldParameters, field_type: json(profileFieldType) },
  response: z.object({ id: z.int() }),
})

export const updateProfileField = endpoint({
  name: 'updateProfileField',
  owner: 'realm',
  method: 'PATCH',
  path: '/realm/profile_fields/{field_id}',
  auth: 'administrator',
  summary: 'Change a custom profile field; parameters that are not sent stay unchanged',
  pathParameters: { field_id: pathId },
  parameters: fieldParameters,
  response: z.object({}),
})

export const reorderProfileFields = endpoint({
  name: 'reorderProfileFields',
  owner: 'realm',
  method: 'PATCH',
  path: '/realm/profile_fields',
  auth: 'administrator',
  summary: 'Put the custom profile fields in another order',
  parameters: {
    order: json(z.array(z.int()).max(limits.maxListLength), { description: 'Every ID once.' }),
  },
  response: z.object({}),
})

export const removeProfileField = endpoint({
  name: 'removeProfileField',
  owner: 'realm',
  method: 'DELETE',
  path: '/realm/profile_fields/{field_id}',
  auth: 'administrator',
  summary: 'Remove a custom profile field and its values',
  pathParameters: { field_id: pathId },
  response: z.object({}),
})
