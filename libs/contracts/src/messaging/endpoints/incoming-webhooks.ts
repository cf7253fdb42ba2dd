import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { optionalJson, optionalText, pathId, pathText, text } from '../../declarations/parameter.ts'
import { createdIntegration } from '../integrations.ts'

const events = z.array(z.string().max(255)).max(1_000)

export const receiveWebhook = endpoint({
  name: 'receiveWebhook',
  owner: 'messaging',
  method: 'POST',
  path: '/external/{integration}',
  auth: 'user-by-key',
  summary: 'Post what another program sends as a message: the address to give to that program',
  description:
    'The body is what the program sends, JSON for most integrations. Parameters are in the query, beside them those of the integration. The owner of the bot is notified of anything that keeps its message from being posted.',
  pathParameters: { integration: pathText },
  parameters: {
    api_key: text(z.string(), {
      description: 'API key of the bot, an incoming webhook, that posts the messages.',
    }),
    stream: optionalText(z.string(), {
      description:
        'Name of a channel, or its ID if it is all digits. Without it the bot writes to its owner directly.',
    }),
    topic: optionalText(z.string(), { description: 'Replaces the topics of the integration.' }),
    only_events: optionalJson(events, {
      description: 'Events that are posted, with the wildcards `*`, `?` and `[…]`. By default all.',
    }),
    exclude_events: optionalJson(events, {
      description: 'Events that are not posted, also if `only_events` names them.',
    }),
    webhook_secret: optionalText(z.string().min(1), {
      description: 'If given, requests must be signed with it, as the program does it.',
    }),
  },
  takesOtherParameters: true,
  body: 'bytes',
  maxFileMib: 1,
  passesOverLimit: true,
  response: z.object({
    ok: z.literal(true).optional().describe('For programs that expect the answer of Slack.'),
    code: z
      .literal('UNSUPPORTED_WEBHOOK_EVENT_TYPE')
      .optional()
      .describe('The integration does not know the event; nothing was posted.'),
    webhook_name: z.string().optional(),
    event_type: z.string().optional(),
    id: z.int().optional().describe('The bot, for programs that show which account they use.'),
    full_name: z.string().optional(),
    email: z.string().optional(),
  }),
  errors: ['NO_SUCH_OBJECT', 'INVALID_JSON', 'MISSING_HTTP_EVENT_HEADER', 'ANOMALOUS_WEBHOOK_PAYLOAD'],
})

export const createIntegration = endpoint({
  name: 'createIntegration',
  owner: 'messaging',
  method: 'POST',
  path: '/integrations',
  auth: 'user',
  tokenAccess: 'none',
  summary: 'Set up an integration: create a bot, and the address at which a program posts as that bot',
  description:
    'For those who may create incoming webhooks. The bot posts in public channels, and in private ones of its owner; it is subscribed to a private channel if its owner may add subscribers.',
  parameters: {
    integration: text(z.string(), { description: 'Name of the integration, such as `alertmanager`.' }),
    stream: optionalText(z.string(), {
      description:
        'Name of a channel in which the caller may post, or its ID if it is all digits. Without it the bot writes to the caller directly.',
    }),
    topic: optionalText(z.string(), { description: 'Replaces the topics of the integration.' }),
    bot_name: optionalText(z.string(), {
      description: 'Full name of the bot, which nobody else may have; by default that of the integration.',
    }),
  },
  response: createdIntegration,
  errors: ['STREAM_DOES_NOT_EXIST', 'UNAUTHORIZED_PRINCIPAL'],
})

export const renderWebhookTemplate = endpoint({
  name: 'renderWebhookTemplate',
  owner: 'messaging',
  method: 'POST',
  path: '/webhook_templates/render',
  auth: 'user',
  tokenAccess: 'send',
  summary: 'Try the templates of an address of the integration `json` on a payload, without posting',
  parameters: {
    payload: text(z.string().max(1_048_576), { description: 'What the sender would post: a JSON object.' }),
    template: optionalText(z.string(), { description: 'Template of the text, in the language of Mustache.' }),
    topic_template: optionalText(z.string(), { description: 'Template of the topic.' }),
  },
  response: z.object({
    message: z
      .object({ topic: z.string(), content: z.string() })
      .nullable()
      .describe('Null: the template comes to nothing, so nothing would be posted.'),
    address_parameters: z
      .string()
      .describe('The templates as the end of an address, after its other parameters and `&`.'),
  }),
  errors: ['INVALID_JSON'],
})

const webhookDelivery = z.object({
  id: z.int(),
  integration: z.string(),
  received_at: z.int().describe('UNIX seconds.'),
  parameters: z
    .record(z.string(), z.string())
    .describe('Those of the address, without its key and its secret.'),
  headers: z.record(z.string(), z.string()).describe('Those that describe the body and the event.'),
  payload: z.string().describe('The body, without what exceeds 64 KiB.'),
  is_complete: z.boolean().describe('False if the payload was longer; then it cannot be posted again.'),
  outcome: z
    .enum(['posted', 'waiting', 'filtered', 'unsupported', 'failed'])
    .describe(
      '`waiting`: it came faster than the bot may post, and is posted when those before it are. `filtered`: ignored by the integration, or not among the events of the address.',
    ),
  status: z.int().describe('HTTP status of the answer.'),
  error: z.string().nullable().describe('Why nothing was posted, or not everything.'),
  message_ids: z.array(z.int()),
})
export type WebhookDelivery = z.output<typeof webhookDelivery>

const webhookAttempt = z.object({
  id: z.int(),
  webhook_id: z.string().describe('Names the call, in the headers `webhook-id` and `Idempotency-Key`.'),
  message_id: z.int().describe('The message because of which the bot was called.'),
  called_at: z.int().describe('UNIX seconds.'),
  duration_ms: z.int().describe('Milliseconds until the answer was read, or was given up.'),
  url: z.string(),
  outcome: z
    .enum(['replied', 'silent', 'retried', 'given_up'])
    .describe(
      '`silent`: the bot answered, without a reply. `retried`: it failed, and another attempt follows. `given_up`: it failed, and none follows.',
    ),
  status: z.int().nullable().describe('HTTP status of the answer; null if there was none.'),
  error: z.string().nullable().describe('Why it failed.'),
  answer: z.string().nullable().describe('The first 2 KiB of an answer that could not be used.'),
  reply_id: z.int().nullable().describe('The message that is the reply.'),
})
export type WebhookAttempt = z.output<typeof webhookAttempt>

const bot = { bot_user_id: pathId }

export const listWebhookDeliveries = endpoint({
  name: 'listWebhookDeliveries',
  owner: 'messaging',
  method: 'GET',
  path: '/bots/{bot_user_id}/deliveries',
  auth: 'user',
  tokenAccess: 'none',
  summary: 'List what arrived at the addresses of a bot, or how it was called; the last hundred are kept',
  description: 'For the owner of the bot and administrators. Newest first.',
  pathParameters: bot,
  response: z.object({
    deliveries: z.array(webhookDelivery).describe('What arrived at the addresses of an incoming webhook.'),
    calls: z.array(webhookAttempt).describe('The attempts to call an outgoing webhook.'),
    waiting: z
      .int()
      .describe(
        'How many deliveries of the bot wait to be posted, or how many calls are yet to be answered.',
      ),
  }),
  errors: ['NO_SUCH_OBJECT'],
})

export const repeatWebhookDelivery = endpoint({
  name: 'repeatWebhookDelivery',
  owner: 'messaging',
  method: 'POST',
  path: '/bots/{bot_user_id}/deliveries/{delivery_id}',
  auth: 'user',
  tokenAccess: 'none',
  summary: 'Post a delivery again, as if it arrived now',
  description:
    'For the owner of the bot and administrators. Messages that it led to stay, and are posted once more. The answer says what came of it.',
  pathParameters: { ...bot, delivery_id: pathId },
  response: z.object({ delivery: webhookDelivery }),
  errors: ['NO_SUCH_OBJECT'],
})

export const repeatWebhookCall = endpoint({
  name: 'repeatWebhookCall',
  owner: 'messaging',
  method: 'POST',
  path: '/bots/{bot_user_id}/calls/{call_id}',
  auth: 'user',
  tokenAccess: 'none',
  summary: 'Call an outgoing webhook again because of the same message',
  description:
    'For the owner of the bot and administrators. The message is sent as it is now, with the same `webhook-id`, so that a program that has handled it can tell. Replies that it led to stay. The answer comes before the call: the list of deliveries shows what came of it.',
  pathParameters: { ...bot, call_id: pathId },
  response: z.object({}),
  errors: ['NO_SUCH_OBJECT'],
})
