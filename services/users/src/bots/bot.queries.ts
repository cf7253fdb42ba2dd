import { type BotData, BotType, Role } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { ACCOUNT_COLUMNS } from '../kernel/accounts/account-list.queries.ts'

/** Default channels of a bot. */
export interface ChannelIds {
  readonly defaultSendingStreamId: number | null
  readonly defaultEventsRegisterStreamId: number | null
}

/**
 * Names of the default channels, as last published to the bot's managers. Null for no channel, and while the owner
 * can't see it.
 */
export interface ChannelNames {
  readonly defaultSendingStream: string | null
  readonly defaultEventsRegisterStream: string | null
}

/** A bot's API key and the columns of `bots`. */
export interface BotDetails extends ChannelIds, ChannelNames {
  readonly apiKey: string
  readonly defaultAllPublicStreams: boolean
  readonly payloadUrl: string | null
  readonly serviceToken: string | null
  readonly serviceInterface: number | null
  /** Set by the bot's managers. */
  readonly configData: BotData
}

/** Columns of `bots`. */
export const DEFAULT_CHANNEL_COLUMNS = `
  default_sending_stream_id as "defaultSendingStreamId",
  default_events_register_stream_id as "defaultEventsRegisterStreamId",
  default_sending_stream as "defaultSendingStream",
  default_events_register_stream as "defaultEventsRegisterStream"`

const BOT_DETAILS_COLUMNS = `
  accounts.api_key as "apiKey", ${DEFAULT_CHANNEL_COLUMNS},
  default_all_public_streams as "defaultAllPublicStreams",
  payload_url as "payloadUrl", service_token as "serviceToken", service_interface as "serviceInterface",
  config_data as "configData"`

/** Null for human users and the system bot. */
export async function findBotDetails(tx: Queryable, id: number): Promise<BotDetails | null> {
  const { rows } = await tx.query<BotDetails>(
    `select ${BOT_DETAILS_COLUMNS} from bots join accounts on accounts.id = bots.user_id where user_id = $1`,
    [id],
  )
  return rows[0] ?? null
}

/** Inserts or updates everything but the key. */
export async function saveBotDetails(
  tx: Queryable,
  id: number,
  details: Omit<BotDetails, 'apiKey'>,
): Promise<void> {
  await tx.query(
    `insert into bots (user_id, default_sending_stream_id, default_events_register_stream_id, default_sending_stream,
                       default_events_register_stream, default_all_public_streams,
                       payload_url, service_token, service_interface, config_data)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb)
         on conflict (user_id) do update
        set (default_sending_stream_id, default_events_register_stream_id, default_sending_stream,
             default_events_register_stream, default_all_public_streams,
             payload_url, service_token, service_interface, config_data)
          = (excluded.default_sending_stream_id, excluded.default_events_register_stream_id,
             excluded.default_sending_stream, excluded.default_events_register_stream,
             excluded.default_all_public_streams,
             excluded.payload_url, excluded.service_token, excluded.service_interface, excluded.config_data)`,
    [
      id,
      details.defaultSendingStreamId,
      details.defaultEventsRegisterStreamId,
      details.defaultSendingStream,
      details.defaultEventsRegisterStream,
      details.defaultAllPublicStreams,
      details.payloadUrl,
      details.serviceToken,
      details.serviceInterface,
      JSON.stringify(details.configData),
    ],
  )
}

/** A bot: its account and its details. */
export interface Bot {
  readonly account: Account
  readonly details: BotDetails
}

/** The owner's bots, by ID. With a role, also the organization's bots with at most that role's power. */
export async function listBots(
  db: Queryable,
  filter: { realmId: number; ownerId: number; role: number | null },
): Promise<Bot[]> {
  const others = filter.role === null ? '' : 'or role >= $3'
  const { rows } = await db.query<Account & BotDetails>(
    `select ${ACCOUNT_COLUMNS}, ${BOT_DETAILS_COLUMNS}
       from bots
       join accounts on accounts.id = bots.user_id
      where realm_id = $1
        and (bot_owner_id = $2 ${others})
      order by id`,
    [filter.realmId, filter.ownerId, ...(filter.role === null ? [] : [filter.role])],
  )
  return rows.map((row) => ({ account: row, details: row }))
}

/** Replaces an account's key. Lock the account first. */
export async function saveApiKey(tx: Queryable, id: number, apiKey: string): Promise<void> {
  await tx.query('update accounts set api_key = $2 where id = $1', [id, apiKey])
}

/** Active human administrators of an organization, from a partial index. */
export async function listAdministrators(
  tx: Queryable,
  realmId: number,
): Promise<{ id: number; role: number }[]> {
  const { rows } = await tx.query<{ id: number; role: number }>(
    `select id, role
       from accounts
      where realm_id = $1 and role <= ${Role.administrator} and not is_bot and is_active
      order by id`,
    [realmId],
  )
  return rows
}

/** The target of an active outgoing webhook whose owner and organization are active; null for every other account. */
export async function findCallableService(
  db: Queryable,
  botId: number,
): Promise<Pick<BotDetails, 'payloadUrl' | 'serviceToken' | 'serviceInterface'> | null> {
  const { rows } = await db.query<Pick<BotDetails, 'payloadUrl' | 'serviceToken' | 'serviceInterface'>>({
    name: 'find-callable-service',
    text: `
      select payload_url as "payloadUrl", service_token as "serviceToken", service_interface as "serviceInterface"
        from bots
        join accounts bot on bot.id = bots.user_id
        left join accounts owner on owner.id = bot.bot_owner_id
        left join known_realms on known_realms.realm_id = bot.realm_id
       where bot.id = $1
         and bot.bot_type = ${BotType.outgoingWebhook}
         and bot.is_active
         and owner.is_active is not false
         and known_realms.is_active is not false`,
    values: [botId],
  })
  return rows[0] ?? null
}

/**
 * Whether no active account of the organization has the name, case-insensitively. Takes a lock until the transaction
 * ends, so that two requests can't both claim the name.
 */
export async function claimBotName(tx: Queryable, realmId: number, name: string): Promise<boolean> {
  await tx.query(
    `select pg_advisory_xact_lock(hashtext('name'), hashtext($1::int || lower($2::text)))::text`,
    [realmId, name],
  )
  const { rows } = await tx.query(
    `select 1 as found from accounts where realm_id = $1 and is_active and lower(full_name) = lower($2) limit 1`,
    [realmId, name],
  )
  return rows.length === 0
}
