import { type BotService, type MessageRecord, WebhookInterface } from '@tms/contracts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'

/** What a request is about. */
export interface WebhookOccasion {
  readonly bot: Pick<KnownUser, 'user_id' | 'email' | 'full_name'>
  readonly service: BotService
  readonly realm: { readonly realm_id: number; readonly url: string }
  /** The message with its raw content. */
  readonly message: MessageRecord
  readonly html: string
}

export interface RequestBody {
  readonly body: string
  readonly contentType: string
}

/** Renders the request to an outgoing webhook in the format of its bot. */
export function renderRequest(occasion: WebhookOccasion): RequestBody {
  const isForm = occasion.service.interface === WebhookInterface.slack
  return isForm
    ? { body: formOf(occasion), contentType: 'application/x-www-form-urlencoded' }
    : { body: jsonOf(occasion), contentType: 'application/json' }
}

/** Why the bot is called: it was mentioned in a channel, or got a direct message. */
const triggerOf = ({ type }: MessageRecord) => (type === 'stream' ? 'mention' : 'direct_message')

function jsonOf({ bot, service, message, html }: WebhookOccasion): string {
  return JSON.stringify({
    bot_email: bot.email,
    bot_full_name: bot.full_name,
    data: message.content,
    trigger: triggerOf(message),
    token: service.token,
    message: { ...message, rendered_content: html },
  })
}

/** Like Slack's outgoing webhooks; direct messages like its commands, since those webhooks have none. */
function formOf({ bot, service, realm, message }: WebhookOccasion): string {
  const recipient = message.display_recipient
  const timestamp = String(message.timestamp)
  return new URLSearchParams({
    token: service.token,
    team_id: `T${realm.realm_id}`,
    team_domain: new URL(realm.url).host,
    ...(typeof recipient === 'string'
      ? { channel_id: `C${message.stream_id}`, channel_name: recipient }
      : { channel_id: `D${message.recipient_id}`, channel_name: 'directmessage' }),
    thread_ts: timestamp,
    timestamp,
    user_id: `U${message.sender_id}`,
    user_name: message.sender_full_name,
    text: message.content,
    trigger_word: triggerOf(message),
    service_id: String(bot.user_id),
  }).toString()
}
