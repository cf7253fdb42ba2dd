import { z } from 'zod'

/** Types of bots. */
export const BotType = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3 } as const
export type BotType = (typeof BotType)[keyof typeof BotType]

/** Target of an outgoing webhook; `interface`: 1 generic, 2 Slack's. */
export const botService = z.object({ base_url: z.string(), token: z.string(), interface: z.int() })
export type BotService = z.output<typeof botService>

/** Texts by key: a bot's storage, and its configuration. */
export const botData = z.record(z.string(), z.string())
export type BotData = z.output<typeof botData>

/**
 * Configuration of a bot that isn't an outgoing webhook; `service_name`: the integration of an incoming webhook,
 * otherwise empty.
 */
export const botConfig = z.object({ service_name: z.string(), config_data: botData })

/** The key of configuration data that names the integration of an incoming webhook. */
export const INTEGRATION_KEY = 'integration_id'

/** The values of `interface`. */
export const WebhookInterface = { generic: 1, slack: 2 } as const

/** A bot as its managers see it: its owner, and the organization's administrators. */
export const botRecord = z.object({
  user_id: z.int(),
  full_name: z.string(),
  email: z.string(),
  bot_type: z.int(),
  is_active: z.boolean(),
  api_key: z.string(),
  owner_id: z.int().nullable(),
  avatar_url: z.string(),
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
  services: z
    .array(z.union([botService, botConfig]))
    .describe('At most one: the target of an outgoing webhook, or the configuration of another bot.'),
})
export type BotRecord = z.output<typeof botRecord>

/** Defaults for parameters that a bot leaves out of a request; a channel that its owner can't see counts as none. */
export const botDefaults = z.object({
  /** The channel of its messages. */
  sending_stream_id: z.int().nullable(),
  /** The channel of its event queues. */
  events_register_stream_id: z.int().nullable(),
  /** Whether its event queues receive the messages of all public channels. */
  all_public_streams: z.boolean(),
})
export type BotDefaults = z.output<typeof botDefaults>
