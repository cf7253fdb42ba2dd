import { type BotRecord, type BotService, INTEGRATION_KEY, WebhookInterface } from '@tms/contracts'
import type { Account } from '../accounts/account.queries.ts'
import { avatarUrlOf } from '../accounts/avatar.ts'
import type { Bot, BotDetails } from './bot.queries.ts'

/** A bot as its managers see it. */
export function toBotRecord({ account, details }: Bot): BotRecord {
  return {
    user_id: account.id,
    full_name: account.fullName,
    email: account.email,
    bot_type: account.botType ?? 0,
    is_active: account.isActive,
    api_key: details.apiKey,
    owner_id: account.botOwnerId,
    avatar_url: avatarUrlOf(account),
    ...defaultsOf(details),
    services: [webhookOf(details), configOf(details)].filter((service) => service !== null),
  }
}

/** The default channels, which most answers about bots contain. */
export function defaultsOf(
  details: BotDetails,
): Pick<
  BotRecord,
  'default_sending_stream' | 'default_events_register_stream' | 'default_all_public_streams'
> {
  return {
    default_sending_stream: details.defaultSendingStream,
    default_events_register_stream: details.defaultEventsRegisterStream,
    default_all_public_streams: details.defaultAllPublicStreams,
  }
}

/** Names of the differing fields, in the order of the record. */
export function botChangesOf(before: BotRecord, after: BotRecord): string[] {
  return Object.keys(after).filter((key) => {
    const name = key as keyof BotRecord
    return JSON.stringify(before[name]) !== JSON.stringify(after[name])
  })
}

/** The managers of a bot: its owner, and administrators whose role has at least the bot's power. */
export function managersOf(
  { role, botOwnerId }: Pick<Account, 'role' | 'botOwnerId'>,
  administrators: readonly { readonly id: number; readonly role: number }[],
): number[] {
  const ids = administrators.filter((account) => account.role <= role).map(({ id }) => id)
  return botOwnerId === null || ids.includes(botOwnerId) ? ids : [...ids, botOwnerId]
}

/** The outgoing webhook's target; null for other bots. */
export function webhookOf({
  payloadUrl,
  serviceToken,
  serviceInterface,
}: Pick<BotDetails, 'payloadUrl' | 'serviceToken' | 'serviceInterface'>): BotService | null {
  if (payloadUrl === null) return null
  return {
    base_url: payloadUrl,
    token: serviceToken ?? '',
    interface: serviceInterface ?? WebhookInterface.generic,
  }
}

/** The bot's configuration; null if it has none. */
function configOf({ configData }: Pick<BotDetails, 'configData'>): BotRecord['services'][number] | null {
  if (Object.keys(configData).length === 0) return null
  return { service_name: configData[INTEGRATION_KEY] ?? '', config_data: configData }
}
