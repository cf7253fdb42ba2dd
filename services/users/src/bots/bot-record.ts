import { type BotRecord, type BotService, INTEGRATION_KEY, WebhookInterface } from '@tms/contracts'
import type { Person } from '../accounts/account.queries.ts'
import { avatarUrlOf } from '../accounts/avatar.ts'
import type { Bot, BotDetails } from './bot.queries.ts'

/** A bot as those see it who manage it. */
export function toBotRecord({ person, details }: Bot): BotRecord {
  return {
    user_id: person.id,
    full_name: person.fullName,
    email: person.email,
    bot_type: person.botType ?? 0,
    is_active: person.isActive,
    api_key: details.apiKey,
    owner_id: person.botOwnerId,
    avatar_url: avatarUrlOf(person),
    ...defaultsOf(details),
    services: [webhookOf(details), configOf(details)].filter((service) => service !== null),
  }
}

/** The part of it that most answers about bots have. */
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

/** Names of what differs, in the order of the record. */
export function botChangesOf(before: BotRecord, after: BotRecord): string[] {
  return Object.keys(after).filter((key) => {
    const name = key as keyof BotRecord
    return JSON.stringify(before[name]) !== JSON.stringify(after[name])
  })
}

/** Those who manage a bot: its owner, and the administrators who have at least its power. */
export function managersOf(
  { role, botOwnerId }: Pick<Person, 'role' | 'botOwnerId'>,
  administrators: readonly { readonly id: number; readonly role: number }[],
): number[] {
  const ids = administrators.filter((person) => person.role <= role).map(({ id }) => id)
  return botOwnerId === null || ids.includes(botOwnerId) ? ids : [...ids, botOwnerId]
}

/** Where it calls; null for what calls nowhere. */
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

/** How it is configured; null where it isn't. */
function configOf({ configData }: Pick<BotDetails, 'configData'>): BotRecord['services'][number] | null {
  if (Object.keys(configData).length === 0) return null
  return { service_name: configData[INTEGRATION_KEY] ?? '', config_data: configData }
}
