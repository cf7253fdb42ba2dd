import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { optionalJson, pathId, text } from '../../declarations/parameter.ts'
import { channelRecord } from '../records.ts'

export const listChannels = endpoint({
  name: 'listChannels',
  owner: 'messaging',
  method: 'GET',
  path: '/streams',
  auth: 'user',
  summary: 'List the channels that you can see',
  parameters: {
    include_public: optionalJson(z.boolean(), { description: 'Default true.' }),
    include_web_public: optionalJson(z.boolean(), { description: 'Default false.' }),
    include_subscribed: optionalJson(z.boolean(), { description: 'Default true.' }),
    include_all: optionalJson(z.boolean(), {
      description: 'All that you can see, also those whose messages you may not read. Default false.',
    }),
    include_all_active: optionalJson(z.boolean(), {
      description: 'An older name of `include_all`, for administrators only. Default false.',
    }),
    include_can_access_content: optionalJson(z.boolean(), {
      description: 'All whose messages you may read. Default false.',
    }),
    exclude_archived: optionalJson(z.boolean(), {
      description: 'Leaves out archived channels. Default true.',
    }),
    include_default: optionalJson(z.boolean(), { description: 'Adds `is_default`. Default false.' }),
    include_owner_subscribed: optionalJson(z.boolean(), {
      description: "Adds the channels of the bot's owner. Default false.",
    }),
  },
  response: z.object({ streams: z.array(channelRecord) }),
})

export const getChannel = endpoint({
  name: 'getChannel',
  owner: 'messaging',
  method: 'GET',
  path: '/streams/{stream_id}',
  auth: 'user',
  channelParameters: ['stream_id'],
  summary: 'Get a channel by ID',
  pathParameters: { stream_id: pathId },
  response: z.object({ stream: channelRecord }),
})

export const getChannelId = endpoint({
  name: 'getChannelId',
  owner: 'messaging',
  method: 'GET',
  path: '/get_stream_id',
  auth: 'user',
  channelParameters: ['stream'],
  summary: "Get a channel's ID by its name",
  parameters: { stream: text(z.string()) },
  response: z.object({ stream_id: z.int() }),
})

export const listSubscribers = endpoint({
  name: 'listSubscribers',
  owner: 'messaging',
  method: 'GET',
  path: '/streams/{stream_id}/members',
  auth: 'user',
  summary: 'List the subscribers of a channel',
  pathParameters: { stream_id: pathId },
  response: z.object({ subscribers: z.array(z.int()) }),
})

export const getSubscriptionStatus = endpoint({
  name: 'getSubscriptionStatus',
  owner: 'messaging',
  method: 'GET',
  path: '/users/{user_id}/subscriptions/{stream_id}',
  auth: 'user',
  summary: 'Get whether a user is subscribed to a channel',
  pathParameters: { user_id: pathId, stream_id: pathId },
  response: z.object({ is_subscribed: z.boolean() }),
})

export const getChannelEmailAddress = endpoint({
  name: 'getChannelEmailAddress',
  owner: 'messaging',
  method: 'GET',
  path: '/streams/{stream_id}/email_address',
  auth: 'user',
  summary: "Get a channel's e-mail address, which is empty: this server accepts no messages by e-mail",
  pathParameters: { stream_id: pathId },
  parameters: {
    sender_id: optionalJson(z.int(), {
      description: 'Who is to be the sender of what is sent there: you, or a bot of yours.',
    }),
  },
  response: z.object({ email: z.string() }),
})
