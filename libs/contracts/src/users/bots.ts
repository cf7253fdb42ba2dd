import { z } from 'zod'

/** What a bot is for. */
export const BotType = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3 } as const
export type BotType = (typeof BotType)[keyof typeof BotType]

/** Where an outgoing webhook calls; `interface`: 1 generic, 2 Slack's. */
export const botService = z.object({ base_url: z.string(), token: z.string(), interface: z.int() })
export type BotService = z.output<typeof botService>

/** Texts by key: what a bot stores, and how it is configured. */
export const botData = z.record(z.string(), z.string())
export type BotData = z.output<typeof botData>

/** How a bot that calls nowhere is configured; `service_name`: the integration that an incoming webhook serves, else empty. */
export const botConfig = z.object({ service_name: z.string(), config_data: botData })

/** The key of configuration data that names the integration of an incoming webhook. */
export const INTEGRATION_KEY = 'integration_id'

/** The values of `interface`. */
export const WebhookInterface = { generic: 1, slack: 2 } as const

/** A bot as those see it who manage it: its owner, and people who administer the organization. */
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
    .describe('At most one: where an outgoing webhook calls, or how another bot is configured.'),
})
export type BotRecord = z.output<typeof botRecord>

/** What counts where a bot leaves something out of a request; a channel that its owner doesn't see is none. */
export const botDefaults = z.object({
  /** Where its messages go to. */
  sending_stream_id: z.int().nullable(),
  /** Whose messages its event queues get. */
  events_register_stream_id: z.int().nullable(),
  /** Whether these get the messages of all public channels. */
  all_public_streams: z.boolean(),
})
export type BotDefaults = z.output<typeof botDefaults>
