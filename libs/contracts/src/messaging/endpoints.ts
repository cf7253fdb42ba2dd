export * from './endpoints/channels.ts'
export * from './endpoints/flags.ts'
export * from './endpoints/messages.ts'
export * from './endpoints/scheduled-messages.ts'
export * from './endpoints/subscriptions.ts'
export * from './endpoints/topics.ts'

import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import {
  json,
  optionalJson,
  optionalText,
  optionalTextOrJson,
  pathId,
  pathRest,
  pathText,
  text,
  textOrJson,
} from '../parameter.ts'
import { attachmentRecord, channelRecord, messageRecord, subscriptionRecord } from './records.ts'

const recipients = z.union([z.string(), z.int(), z.array(z.string()), z.array(z.int())])
/** Checked in messaging: what is no list has an error code of its own. */
const narrow = optionalTextOrJson(z.unknown(), {
  description: 'A JSON list of {operator, operand, negated?}, or of legacy [operator, operand] pairs.',
})

export const sendMessage = endpoint({
  name: 'sendMessage',
  owner: 'messaging',
  method: 'POST',
  path: '/messages',
  auth: 'user',
  summary: 'Send a message to a channel or directly to users',
  parameters: {
    type: text(z.enum(['direct', 'channel', 'stream', 'private']), {
      description: '`private` is a deprecated alias of `direct`, `stream` an alias of `channel`.',
    }),
    to: textOrJson(recipients, {
      description: 'Channel: name or ID. Direct: list of user IDs or API e-mails.',
    }),
    content: text(z.string()),
    topic: optionalText(z.string(), { aliases: ['subject'], description: 'Required for channels.' }),
    queue_id: optionalText(z.string(), { description: 'Event queue of the sender, for local echo.' }),
    local_id: optionalText(z.string(), { description: 'Echoed in the message event of that queue.' }),
    read_by_sender: optionalJson(z.boolean(), { description: 'By default it depends on the client name.' }),
  },
  response: z.object({ id: z.int(), automatic_new_visibility_policy: z.int().optional() }),
  errors: [
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
})

const flags = z.array(z.string())

export const getMessages = endpoint({
  name: 'getMessages',
  owner: 'messaging',
  method: 'GET',
  path: '/messages',
  auth: 'user',
  summary: 'Fetch messages around an anchor',
  parameters: {
    anchor: optionalText(z.string(), { description: 'A message ID, `newest`, `oldest` or `first_unread`.' }),
    include_anchor: optionalJson(z.boolean(), { description: 'Default true.' }),
    num_before: json(z.int().nonnegative()),
    num_after: json(z.int().nonnegative()),
    narrow,
    client_gravatar: optionalJson(z.boolean(), { description: 'Default true.' }),
    apply_markdown: optionalJson(z.boolean(), { description: 'Default true: content is HTML.' }),
    use_first_unread_anchor: optionalJson(z.boolean(), {
      description: 'Deprecated: the same as `first_unread`.',
    }),
  },
  response: z.object({
    /** 10^16 for `newest`, which is beyond what `int` takes. */
    anchor: z.number(),
    found_anchor: z.boolean(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    history_limited: z.boolean(),
    messages: z.array(messageRecord.extend({ flags })),
  }),
  errors: ['BAD_NARROW', 'REQUEST_VARIABLE_INVALID'],
})

export const getMessage = endpoint({
  name: 'getMessage',
  owner: 'messaging',
  method: 'GET',
  path: '/messages/{message_id}',
  auth: 'user',
  summary: 'Fetch one message',
  pathParameters: { message_id: pathId },
  parameters: { apply_markdown: optionalJson(z.boolean(), { description: 'Default true.' }) },
  response: z.object({ message: messageRecord.extend({ flags }), raw_content: z.string() }),
})

export const updateMessageFlags = endpoint({
  name: 'updateMessageFlags',
  owner: 'messaging',
  method: 'POST',
  path: '/messages/flags',
  auth: 'user',
  summary: 'Add or remove a flag on messages',
  parameters: {
    messages: json(z.array(z.int())),
    op: text(z.enum(['add', 'remove'])),
    flag: text(z.string()),
  },
  response: z.object({ messages: z.array(z.int()) }),
})

export const renderMessage = endpoint({
  name: 'renderMessage',
  owner: 'messaging',
  method: 'POST',
  path: '/messages/render',
  auth: 'user',
  summary: 'Render Markdown to HTML',
  parameters: { content: text(z.string()) },
  response: z.object({ rendered: z.string() }),
})

const principals = z.union([z.array(z.int()), z.array(z.string())])
const namesByEmail = z.record(z.string(), z.array(z.string()))

export const subscribe = endpoint({
  name: 'subscribe',
  owner: 'messaging',
  method: 'POST',
  path: '/users/me/subscriptions',
  auth: 'user',
  summary: 'Subscribe to channels, creating those that do not exist',
  parameters: {
    subscriptions: json(
      z.array(
        z.object({ name: z.string(), description: z.string().optional(), color: z.string().optional() }),
      ),
    ),
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
    stream_post_policy: optionalJson(z.int().min(1).max(4), { description: 'Default 1: everyone may post.' }),
    message_retention_days: optionalTextOrJson(z.union([z.int(), z.string()])),
    can_remove_subscribers_group: optionalJson(z.int()),
    announce: optionalJson(z.boolean(), { description: 'Default false.' }),
  },
  response: z.object({
    subscribed: namesByEmail,
    already_subscribed: namesByEmail,
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
    include_all_active: optionalJson(z.boolean(), { description: 'Administrators only. Default false.' }),
    include_default: optionalJson(z.boolean(), { description: 'Adds `is_default`. Default false.' }),
    include_owner_subscribed: optionalJson(z.boolean(), {
      description: "Adds the bot owner's. Default false.",
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
  summary: "Get a channel's ID by its name",
  parameters: { stream: text(z.string()) },
  response: z.object({ stream_id: z.int() }),
})

export const listTopics = endpoint({
  name: 'listTopics',
  owner: 'messaging',
  method: 'GET',
  path: '/users/me/{stream_id}/topics',
  auth: 'user',
  summary: 'List the topics of a channel, newest first',
  pathParameters: { stream_id: pathId },
  response: z.object({ topics: z.array(z.object({ name: z.string(), max_id: z.int() })) }),
})

export const uploadFile = endpoint({
  name: 'uploadFile',
  owner: 'messaging',
  method: 'POST',
  path: '/user_uploads',
  auth: 'user',
  summary: 'Upload a file, to be linked in messages',
  body: 'file',
  response: z.object({
    url: z.string(),
    /** Deprecated: the same as `url`. */
    uri: z.string(),
  }),
  errors: ['REALM_UPLOAD_QUOTA'],
})

export const getTemporaryUrl = endpoint({
  name: 'getTemporaryUrl',
  owner: 'messaging',
  method: 'GET',
  path: '/user_uploads/{realm_id}/{filename}',
  auth: 'user',
  summary: 'Get a URL that gives an uploaded file to anyone for a minute',
  pathParameters: { realm_id: pathId, filename: pathRest },
  response: z.object({ url: z.string() }),
})

export const getFile = endpoint({
  name: 'getFile',
  owner: 'messaging',
  method: 'GET',
  prefix: '',
  path: '/user_uploads/{realm_id}/{shard}/{filename}',
  auth: 'optional',
  summary: 'Get an uploaded file',
  pathParameters: { realm_id: pathId, shard: pathText, filename: pathRest },
  answer: 'file',
  response: z.object({}),
})

export const getTemporaryFile = endpoint({
  name: 'getTemporaryFile',
  owner: 'messaging',
  method: 'GET',
  prefix: '',
  path: '/user_uploads/temporary/{token}/{filename}',
  auth: 'public',
  summary: 'Get an uploaded file by its temporary URL',
  pathParameters: { token: pathText, filename: pathText },
  answer: 'file',
  response: z.object({}),
})

export const listAttachments = endpoint({
  name: 'listAttachments',
  owner: 'messaging',
  method: 'GET',
  path: '/attachments',
  auth: 'user',
  summary: 'List the files that you uploaded',
  response: z.object({
    attachments: z.array(attachmentRecord),
    /** Bytes of all files of the organization. */
    upload_space_used: z.int(),
  }),
})

export const deleteAttachment = endpoint({
  name: 'deleteAttachment',
  owner: 'messaging',
  method: 'DELETE',
  path: '/attachments/{attachment_id}',
  auth: 'user',
  summary: 'Delete a file that you uploaded',
  pathParameters: { attachment_id: pathId },
  response: z.object({}),
})
export * from './endpoints/typing.ts'
