import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import {
  json,
  optionalJson,
  optionalTextOrJson,
  pathId,
  text,
  textOrJson,
} from '../../declarations/parameter.ts'
import { newChannelPermissions } from '../channel-permission-parameters.ts'
import { subscriptionRecord, subscriptionSettings } from '../records.ts'

/** What each setting of a subscription does. */
const describedProperties = Object.entries(subscriptionSettings.shape)
  .map(([name, { description }]) => `\`${name}\`: ${description ?? ''}`)
  .join('\n')

const principals = z.union([z.array(z.int()), z.array(z.string())])
const namesByUser = z.record(z.string(), z.array(z.string())).describe('Names of channels by user ID.')
const namedChannels = z.array(
  z.object({ name: z.string(), description: z.string().optional(), color: z.string().optional() }),
)

export const subscribe = endpoint({
  name: 'subscribe',
  owner: 'messaging',
  method: 'POST',
  path: '/users/me/subscriptions',
  auth: 'user',
  tokenAccess: 'administer',
  summary: 'Subscribe to channels, creating those that do not exist',
  parameters: {
    subscriptions: json(namedChannels, {
      description: `At most ${limits.maxListLength}. At most ${limits.maxNewChannelsPerCall} of them may be new and are created, and ${limits.maxNewChannelsPerDay} per day unless you are an administrator.`,
    }),
    principals: optionalJson(principals, {
      description: 'Users to subscribe, as IDs or API e-mails; default you.',
    }),
    authorization_errors_fatal: optionalJson(z.boolean(), { description: 'Default true.' }),
    invite_only: optionalJson(z.boolean(), { description: 'New channels are private. Default false.' }),
    is_web_public: optionalJson(z.boolean(), { description: 'New channels are web-public. Default false.' }),
    is_default_stream: optionalJson(z.boolean(), {
      description: 'New users join new channels. Default false.',
    }),
    history_public_to_subscribers: optionalJson(z.boolean()),
    stream_post_policy: optionalJson(z.int().min(1).max(4), {
      description: 'Older form of `can_send_message_group`.',
    }),
    message_retention_days: optionalTextOrJson(z.union([z.int(), z.string()])),
    ...newChannelPermissions,
    announce: optionalJson(z.boolean(), {
      description:
        'Announces new channels that are not private, in the channel that the organization has chosen for that. Default false.',
    }),
  },
  response: z.object({
    subscribed: namesByUser,
    already_subscribed: namesByUser,
    unauthorized: z.array(z.string()).optional(),
  }),
  errors: ['REQUEST_VARIABLE_INVALID', 'UNAUTHORIZED_PRINCIPAL'],
})

export const unsubscribe = endpoint({
  name: 'unsubscribe',
  owner: 'messaging',
  method: 'DELETE',
  path: '/users/me/subscriptions',
  auth: 'user',
  tokenAccess: 'administer',
  summary: 'Unsubscribe from channels',
  parameters: { subscriptions: json(z.array(z.string())), principals: optionalJson(principals) },
  response: z.object({ removed: z.array(z.string()), not_removed: z.array(z.string()) }),
})

export const listSubscriptions = endpoint({
  name: 'listSubscriptions',
  owner: 'messaging',
  method: 'GET',
  path: '/users/me/subscriptions',
  auth: 'user',
  summary: 'List the channels that you are subscribed to',
  parameters: { include_subscribers: optionalJson(z.boolean(), { description: 'Default false.' }) },
  response: z.object({ subscriptions: z.array(subscriptionRecord) }),
})

export const updateSubscriptions = endpoint({
  name: 'updateSubscriptions',
  owner: 'messaging',
  method: 'PATCH',
  path: '/users/me/subscriptions',
  auth: 'user',
  tokenAccess: 'administer',
  summary: 'Subscribe to channels and unsubscribe from others, all or nothing',
  parameters: {
    add: optionalJson(namedChannels, {
      description:
        'Channels to subscribe to; missing ones are created, up to the limits of `POST /users/me/subscriptions`.',
    }),
    delete: optionalJson(z.array(z.string()), { description: 'Names of channels to unsubscribe from.' }),
  },
  response: z.object({
    subscribed: namesByUser.optional(),
    already_subscribed: namesByUser.optional(),
    removed: z.array(z.string()).optional(),
    not_removed: z.array(z.string()).optional(),
  }),
})

export const updateSubscriptionSetting = endpoint({
  name: 'updateSubscriptionSetting',
  owner: 'messaging',
  method: 'PATCH',
  path: '/users/me/subscriptions/{stream_id}',
  auth: 'user',
  tokenAccess: 'administer',
  summary: 'Update a subscription setting',
  pathParameters: { stream_id: pathId },
  parameters: {
    property: text(subscriptionSettings.keyof(), { description: describedProperties }),
    value: textOrJson(z.union([z.boolean(), z.string()]), {
      description: 'True or false; for `color` a text such as `#76ce90`, or `#7c9` for `#77cc99`.',
    }),
  },
  response: z.object({}),
})

export const updateSubscriptionSettings = endpoint({
  name: 'updateSubscriptionSettings',
  owner: 'messaging',
  method: 'POST',
  path: '/users/me/subscriptions/properties',
  auth: 'user',
  tokenAccess: 'administer',
  summary: 'Update subscription settings',
  parameters: {
    subscription_data: json(
      z
        .array(
          z.object({
            stream_id: z.int(),
            property: subscriptionSettings.keyof().describe(describedProperties),
            value: z.union([z.boolean(), z.string()]).describe('Null cannot be set again.'),
          }),
        )
        .max(limits.maxSettingsPerCall),
      {
        description: 'Changes, applied one after another: if one is refused, those before it stay applied.',
      },
    ),
  },
  response: z.object({}),
})
