import { type BotData, Role } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { Account } from '../accounts/account.queries.ts'
import { ACCOUNT_COLUMNS } from '../accounts/account-list.queries.ts'
import type { PrismaTx } from '../database/prisma-tx.ts'

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

/** IDs of the user's active bots, lowest first. */
export async function listActiveBotIds(tx: PrismaTx, realmId: number, ownerId: number): Promise<number[]> {
  const bots = await tx.account.findMany({
    where: { realmId, botOwnerId: ownerId, isActive: true },
    select: { id: true },
    orderBy: { id: 'asc' },
  })
  return bots.map(({ id }) => id)
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
