import { EmailVisibility, type UsersRecordOf } from '@tms/contracts'
import { renderShortText } from '@tms/short-texts'
import { apiEmailOf } from '../kernel/addresses/api-email.rules.ts'
import { createApiKey } from '../kernel/credentials/api-key.ts'
import type { ImportedAccount, ImportedBot } from './imported-record.queries.ts'

type ExportedAccount = UsersRecordOf<'user'> | UsersRecordOf<'bot'>

const NO_BOT = { is_bot: false, bot_type: null, bot_owner_id: null, is_system_bot: false } as const

/**
 * The exported account as it is inserted at the organization's new URL: with a new key, without a password, with HTML
 * rendered anew.
 */
export function toImportedAccount(account: ExportedAccount, realmUrl: string): ImportedAccount {
  const { kind: _kind, profile_data, delivery_email: _address, ...stored } = account
  return {
    ...NO_BOT,
    ...stored,
    ...addressesOf(account, realmUrl),
    is_bot: account.kind === 'bot',
    api_key: createApiKey(),
    profile_data: profileDataOf(profile_data),
  }
}

/** The exported bot's row of `bots`. */
export function toImportedBot(bot: UsersRecordOf<'bot'>): ImportedBot {
  return {
    user_id: bot.user_id,
    default_sending_stream_id: bot.default_sending_stream_id ?? null,
    default_events_register_stream_id: bot.default_events_register_stream_id ?? null,
    default_sending_stream: bot.default_sending_stream,
    default_events_register_stream: bot.default_events_register_stream,
    default_all_public_streams: bot.default_all_public_streams,
    payload_url: bot.payload_url,
    service_token: bot.payload_url === null ? null : createApiKey(),
    service_interface: bot.service_interface,
    config_data: bot.config_data ?? {},
  }
}

/** An account exported without its address gets an API e-mail; mail to it reaches nobody. */
function addressesOf(
  { user_id: id, delivery_email, email_address_visibility: emailAddressVisibility }: ExportedAccount,
  url: string,
): { email: string; delivery_email: string } {
  const made = apiEmailOf({ id, deliveryEmail: '', emailAddressVisibility: EmailVisibility.nobody }, url)
  const deliveryEmail = delivery_email ?? made
  return {
    email: apiEmailOf({ id, deliveryEmail, emailAddressVisibility }, url),
    delivery_email: deliveryEmail,
  }
}

function profileDataOf(filledIn: ExportedAccount['profile_data']): ImportedAccount['profile_data'] {
  return Object.fromEntries(
    Object.entries(filledIn).map(([field, { value, rendered_value }]) => [
      field,
      rendered_value === undefined ? { value } : { value, rendered_value: renderShortText(value) },
    ]),
  )
}
