import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { optionalJson, optionalText, optionalTextOrJson, pathId, text } from '../../declarations/parameter.ts'
import { Role } from '../../permissions/role.ts'
import { BotType, botData, botRecord } from '../bots.ts'

const defaults = botRecord.pick({
  default_sending_stream: true,
  default_events_register_stream: true,
  default_all_public_streams: true,
})

const defaultParameters = {
  default_sending_stream: optionalText(z.string(), {
    description:
      'Channel of its messages if it names none: the name of a channel that the caller and its owner can see; empty for none.',
  }),
  default_events_register_stream: optionalText(z.string(), {
    description:
      'Channel whose messages its event queues receive if they have no narrow: likewise a name; empty for none.',
  }),
  default_all_public_streams: optionalJson(z.boolean(), {
    description: 'Default of `all_public_streams` for its event queues.',
  }),
}
const serviceUrl = optionalTextOrJson(z.string(), {
  description:
    'Target of an outgoing webhook, which requires one: an http or https URL, not local or private unless the server allows that.',
})
const serviceInterface = optionalJson(z.literal([1, 2]), {
  description: 'Format of an outgoing webhook: 1 generic, 2 Slack’s.',
})
const configData = (more = '') =>
  optionalJson(botData, {
    description: `Configuration of the bot: texts by key, ${limits.maxBotConfigCharacters} characters in all. The bot's managers receive it as \`services\`; an outgoing webhook has none.${more}`,
  })
const bot = { bot_user_id: pathId }
const MANY = `at most ${limits.maxActiveBots} active bots; administrators and owners, any number`

export const createBot = endpoint({
  name: 'createBot',
  owner: 'users',
  method: 'POST',
  path: '/bots',
  auth: 'user',
  tokenAccess: 'none',
  summary: 'Create a bot',
  description: `A member can own ${MANY}.`,
  parameters: {
    full_name: text(z.string()),
    short_name: text(z.string(), { description: 'The part before `-bot@` in its address.' }),
    bot_type: optionalJson(z.literal(Object.values(BotType)), {
      description: '1 generic (default), 2 incoming webhook, 3 outgoing webhook.',
    }),
    payload_url: serviceUrl,
    interface_type: serviceInterface,
    service_name: optionalText(z.string(), {
      description:
        'The integration of an incoming webhook; stored in its configuration, as `integration_id`.',
    }),
    config_data: configData(),
    ...defaultParameters,
  },
  body: 'fields-and-picture',
  response: z
    .object({ user_id: z.int(), api_key: z.string(), avatar_url: z.string() })
    .extend(defaults.shape),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_IMAGE'],
})

export const listBots = endpoint({
  name: 'listBots',
  owner: 'users',
  method: 'GET',
  path: '/bots',
  auth: 'user',
  tokenAccess: 'none',
  summary: 'List your own active bots',
  response: z.object({
    bots: z.array(
      z
        .object({
          user_id: z.int(),
          /** Its API e-mail. */
          username: z.string(),
          full_name: z.string(),
          api_key: z.string(),
          avatar_url: z.string(),
        })
        .extend(defaults.shape),
    ),
  }),
})

export const updateBot = endpoint({
  name: 'updateBot',
  owner: 'users',
  method: 'PATCH',
  path: '/bots/{bot_user_id}',
  auth: 'user',
  summary: 'Change a bot',
  pathParameters: bot,
  parameters: {
    full_name: optionalText(z.string()),
    role: optionalJson(z.literal(Object.values(Role))),
    bot_owner_id: optionalJson(z.int(), {
      description: `The bot also gets a new API key, which its former owner does not receive, and leaves private channels that the new owner is not in. A member can own ${MANY}.`,
    }),
    service_payload_url: serviceUrl,
    service_interface: serviceInterface,
    config_data: configData(' Keys that are not sent stay.'),
    ...defaultParameters,
  },
  body: 'fields-and-picture',
  response: z
    .object({
      full_name: z.string(),
      avatar_url: z.string(),
      /** API e-mail of its owner. */
      bot_owner: z.string().optional(),
      /** Its new key, if it has a new owner and the caller still manages it. */
      api_key: z.string().optional(),
      /** Of an outgoing webhook. */
      service_payload_url: z.string().nullable(),
      service_interface: z.int().nullable(),
      /** The whole configuration. */
      config_data: botData,
    })
    .extend(defaults.shape),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_IMAGE'],
})

export const deactivateBot = endpoint({
  name: 'deactivateBot',
  owner: 'users',
  method: 'DELETE',
  path: '/bots/{bot_user_id}',
  auth: 'user',
  summary: 'Deactivate a bot',
  pathParameters: bot,
  response: z.object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const regenerateBotApiKey = endpoint({
  name: 'regenerateBotApiKey',
  owner: 'users',
  method: 'POST',
  path: '/bots/{bot_user_id}/api_key/regenerate',
  auth: 'user',
  tokenAccess: 'none',
  summary: "Replace a bot's API key",
  pathParameters: bot,
  response: z.object({ api_key: z.string() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})
