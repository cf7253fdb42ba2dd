import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { json, optionalJson, optionalText, optionalTextOrJson, pathId } from '../../declarations/parameter.ts'
import { channelPermissionChanges } from '../channel-permission-parameters.ts'

export const updateChannel = endpoint({
  name: 'updateChannel',
  owner: 'messaging',
  method: 'PATCH',
  path: '/streams/{stream_id}',
  auth: 'user',
  tokenAccess: 'administer',
  summary: "Change a channel's settings",
  description: 'For administrators of the organization or of the channel.',
  pathParameters: { stream_id: pathId },
  parameters: {
    new_name: optionalText(z.string()),
    description: optionalText(z.string()),
    is_private: optionalJson(z.boolean(), {
      description:
        'Requires your own access to the channel. Without `history_public_to_subscribers`, resets that.',
    }),
    is_web_public: optionalJson(z.boolean()),
    history_public_to_subscribers: optionalJson(z.boolean()),
    is_default_stream: optionalJson(z.boolean(), {
      description: 'New users join the channel; administrators of the organization only.',
    }),
    stream_post_policy: optionalJson(z.int().min(1).max(4), {
      description: 'Older form of `can_send_message_group`.',
    }),
    is_announcement_only: optionalJson(z.boolean(), {
      description: 'Deprecated: `stream_post_policy` 2 if true, 1 if false.',
    }),
    message_retention_days: optionalTextOrJson(z.union([z.int(), z.string()]), {
      description: 'Days, `realm_default` or `unlimited`; owners only.',
    }),
    ...channelPermissionChanges,
  },
  response: z.object({}),
  errors: ['REQUEST_VARIABLE_INVALID', 'UNAUTHORIZED_PRINCIPAL', 'EXPECTATION_MISMATCH'],
})

export const archiveChannel = endpoint({
  name: 'archiveChannel',
  owner: 'messaging',
  method: 'DELETE',
  path: '/streams/{stream_id}',
  auth: 'user',
  tokenAccess: 'administer',
  summary: 'Archive a channel',
  description: 'For administrators of the organization or of the channel.',
  pathParameters: { stream_id: pathId },
  response: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

const defaultChannel = { stream_id: json(z.int()) }

export const addDefaultChannel = endpoint({
  name: 'addDefaultChannel',
  owner: 'messaging',
  method: 'POST',
  path: '/default_streams',
  auth: 'administrator',
  summary: 'Subscribe new users to a channel',
  parameters: defaultChannel,
  response: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const removeDefaultChannel = endpoint({
  name: 'removeDefaultChannel',
  owner: 'messaging',
  method: 'DELETE',
  path: '/default_streams',
  auth: 'administrator',
  summary: 'Stop subscribing new users to a channel',
  parameters: defaultChannel,
  response: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})
