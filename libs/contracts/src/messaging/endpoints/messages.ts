import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import {
  json,
  optionalJson,
  optionalText,
  optionalTextOrJson,
  pathId,
  text,
} from '../../declarations/parameter.ts'
import { allowEmptyTopicName, channelTopic } from '../parameters/empty-topic.ts'
import { messageContent } from '../parameters/message-content.ts'
import { messageType } from '../parameters/message-type.ts'
import { narrow, requiredNarrow } from '../parameters/narrow.ts'
import { widgetContent } from '../parameters/widget-content.ts'
import { fetchedMessage } from '../records.ts'

const recipients = z.union(
  [z.string().max(limits.maxRequestBodyBytes), z.int(), z.array(z.string()), z.array(z.int())],
  {
    error: "must be a channel's name or ID, or a list of users",
  },
)

/** HTML with the matches of a search in `<span class="highlight">`. */
const matches = { match_content: z.string(), match_subject: z.string() }

export const sendMessage = endpoint({
  name: 'sendMessage',
  owner: 'messaging',
  method: 'POST',
  path: '/messages',
  auth: 'user',
  tokenAccess: 'send',
  channelParameters: ['to'],
  summary: 'Send a message to a channel or directly to users',
  parameters: {
    type: text(messageType),
    to: optionalTextOrJson(recipients, {
      description: `Required, except for bots with a default channel. Channel: name or ID. Direct: list of user IDs or API e-mails, at most ${limits.maxDirectMessageRecipients} beside you.`,
    }),
    content: text(messageContent),
    topic: optionalText(z.string(), { aliases: ['subject'], description: channelTopic }),
    queue_id: optionalText(z.string().max(limits.maxLocalIdLength), {
      description: 'Event queue of the sender, for local echo; requires `local_id`.',
    }),
    local_id: optionalText(z.string().max(limits.maxLocalIdLength), {
      description:
        'Returned unchanged in the message event of the queue `queue_id`; without that it has no effect. A second request with the same ID is a second message: use `Idempotency-Key` to repeat a request safely.',
    }),
    read_by_sender: optionalJson(z.boolean(), { description: 'By default it depends on the client name.' }),
    widget_content: optionalJson(widgetContent, {
      description: `Makes the message a form with buttons, a poll or a to-do list: it becomes the first submessage, with \`msg_type\` \`widget\`, and replaces \`/poll\` or \`/todo\` in the content. At most ${limits.maxMessageLength} characters.`,
    }),
  },
  isRepeatable: true,
  response: z.object({ id: z.int(), automatic_new_visibility_policy: z.int().optional() }),
  errors: [
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  ],
})

export const getMessages = endpoint({
  name: 'getMessages',
  owner: 'messaging',
  method: 'GET',
  path: '/messages',
  auth: 'user-or-spectator',
  channelParameters: ['narrow'],
  summary: 'Fetch messages around an anchor',
  parameters: {
    anchor: optionalText(z.string(), { description: 'A message ID, `newest`, `oldest` or `first_unread`.' }),
    include_anchor: optionalJson(z.boolean(), { description: 'Default true.' }),
    num_before: optionalJson(z.int().nonnegative(), {
      description:
        'Required with an anchor. Fewer are returned if they are very large: `found_oldest` says whether there are more.',
    }),
    num_after: optionalJson(z.int().nonnegative(), { description: 'Required with an anchor.' }),
    message_ids: optionalJson(z.array(z.int()), {
      description:
        'In place of an anchor: these messages, ascending, without those that you cannot see or that the narrow leaves out. Only `messages` of the answer means something then. Refused if they are too large for one answer.',
    }),
    narrow,
    client_gravatar: optionalJson(z.boolean(), { description: 'Default true.' }),
    apply_markdown: optionalJson(z.boolean(), { description: 'Default true: content is HTML.' }),
    use_first_unread_anchor: optionalJson(z.boolean(), {
      description: 'Deprecated: the same as `first_unread`.',
    }),
    allow_empty_topic_name: allowEmptyTopicName,
  },
  response: z.object({
    /** 10^16 for `newest`, which is beyond what `int` allows. */
    anchor: z.number(),
    found_anchor: z.boolean(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    history_limited: z.boolean(),
    messages: z.array(fetchedMessage),
  }),
  errors: ['BAD_NARROW', 'REQUEST_VARIABLE_INVALID'],
})

export const findMatchingMessages = endpoint({
  name: 'findMatchingMessages',
  owner: 'messaging',
  method: 'GET',
  path: '/messages/matches_narrow',
  auth: 'user',
  summary: 'Find which of these messages match a narrow',
  parameters: { msg_ids: json(z.array(z.int())), narrow: requiredNarrow },
  /** Keys are message IDs. */
  response: z.object({ messages: z.record(z.string(), z.object(matches)) }),
  errors: ['BAD_NARROW', 'REQUEST_VARIABLE_INVALID'],
})

export const getMessage = endpoint({
  name: 'getMessage',
  owner: 'messaging',
  method: 'GET',
  path: '/messages/{message_id}',
  auth: 'user-or-spectator',
  channelParameters: ['message_id'],
  summary: 'Fetch one message',
  pathParameters: { message_id: pathId },
  parameters: {
    apply_markdown: optionalJson(z.boolean(), { description: 'Default true.' }),
    allow_empty_topic_name: allowEmptyTopicName,
  },
  response: z.object({ message: fetchedMessage, raw_content: z.string() }),
})

export const renderMessage = endpoint({
  name: 'renderMessage',
  owner: 'messaging',
  method: 'POST',
  path: '/messages/render',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Render Markdown to HTML',
  parameters: { content: text(messageContent) },
  response: z.object({ rendered: z.string() }),
})
