import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { json, optionalText, pathId, text } from '../../declarations/parameter.ts'

const OFF = 'Always refused: default channels are not grouped, so `realm_default_stream_groups` is empty.'
const group = { owner: 'messaging', auth: 'administrator', description: OFF } as const
const errors = ['UNAUTHORIZED_PRINCIPAL'] as const
const channelNames = json(z.array(z.string()))
const done = z.object({})

export const createDefaultChannelGroup = endpoint({
  ...group,
  name: 'createDefaultChannelGroup',
  method: 'POST',
  path: '/default_stream_groups/create',
  summary: 'Create a group of default channels',
  parameters: { group_name: text(z.string()), description: text(z.string()), stream_names: channelNames },
  response: done,
  errors,
})

export const updateDefaultChannelGroup = endpoint({
  ...group,
  name: 'updateDefaultChannelGroup',
  method: 'PATCH',
  path: '/default_stream_groups/{group_id}',
  summary: 'Change the name or the description of a group of default channels',
  pathParameters: { group_id: pathId },
  parameters: { new_group_name: optionalText(z.string()), new_description: optionalText(z.string()) },
  response: done,
  errors,
})

export const removeDefaultChannelGroup = endpoint({
  ...group,
  name: 'removeDefaultChannelGroup',
  method: 'DELETE',
  path: '/default_stream_groups/{group_id}',
  summary: 'Remove a group of default channels',
  pathParameters: { group_id: pathId },
  response: done,
  errors,
})

export const updateDefaultChannelGroupChannels = endpoint({
  ...group,
  name: 'updateDefaultChannelGroupChannels',
  method: 'PATCH',
  path: '/default_stream_groups/{group_id}/streams',
  summary: 'Add channels to a group of default channels, or remove them',
  pathParameters: { group_id: pathId },
  parameters: {
    op: text(z.enum(['add', 'remove'])),
    stream_names: channelNames,
  },
  response: done,
  errors,
})
