import { type BotData, BotType, Role } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { Person } from '../accounts/account.queries.ts'
import { PERSON } from '../accounts/people.queries.ts'

/** The channels that a bot has by default. */
export interface ChannelIds {
  readonly defaultSendingStreamId: number | null
  readonly defaultEventsRegisterStreamId: number | null
}

/** What they are called, as those who manage the bot have been told; null for none, and while its owner doesn't see it. */
export interface ChannelNames {
  readonly defaultSendingStream: string | null
  readonly defaultEventsRegisterStream: string | null
}

/** What an account has because it is a bot, and its key. */
export interface BotDetails extends ChannelIds, ChannelNames {
  readonly apiKey: string
  readonly defaultAllPublicStreams: boolean
  readonly payloadUrl: string | null
  readonly serviceToken: string | null
  readonly serviceInterface: number | null
  /** How those who manage it have configured it. */
  readonly configData: BotData
}

/** Of a row of `bots`. */
export const CHANNELS = `
  default_sending_stream_id as "defaultSendingStreamId",
  default_events_register_stream_id as "defaultEventsRegisterStreamId",
  default_sending_stream as "defaultSendingStream",
  default_events_register_stream as "defaultEventsRegisterStream"`

const DETAILS = `
  accounts.api_key as "apiKey", ${CHANNELS},
  default_all_public_streams as "defaultAllPublicStreams",
  payload_url as "payloadUrl", service_token as "serviceToken", service_interface as "serviceInterface",
  config_data as "configData"`

/** Null for who is no bot, and for an organization's own actor. */
export async function findBotDetails(tx: Queryable, id: number): Promise<BotDetails | null> {
  const { rows } = await tx.query<BotDetails>(
    `select ${DETAILS} from bots join accounts on accounts.id = bots.user_id where user_id = $1`,
    [id],
  )
  return rows[0] ?? null
}

/** Writes everything but the key; the first time or again. */
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

/** A bot's account with what it has as a bot. */
export interface Bot {
  readonly person: Person
  readonly details: BotDetails
}

/** An owner's bots by ID and, with a role, all of the organization that have no more power than that. */
export async function listBots(
  db: Queryable,
  asked: { realmId: number; ownerId: number; role: number | null },
): Promise<Bot[]> {
  const others = asked.role === null ? '' : 'or role >= $3'
  const { rows } = await db.query<Person & BotDetails>(
    `select ${PERSON}, ${DETAILS}
       from bots
       join accounts on accounts.id = bots.user_id
      where realm_id = $1
        and (bot_owner_id = $2 ${others})
      order by id`,
    [asked.realmId, asked.ownerId, ...(asked.role === null ? [] : [asked.role])],
  )
  return rows.map((row) => ({ person: row, details: row }))
}

/** Replaces an account's key. Lock the account first. */
export async function saveApiKey(tx: Queryable, id: number, apiKey: string): Promise<void> {
  await tx.query('update accounts set api_key = $2 where id = $1', [id, apiKey])
}

/** Active people who administer an organization: an index has no others. */
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

/** Of an active outgoing webhook that nobody deactivated takes along; null for every other account. */
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
 * Whether no active account of the organization has the name, whatever its case. Others who ask for the name wait for
 * the end of the transaction, so that two can't find it free at once.
 */
export async function claimName(tx: Queryable, realmId: number, name: string): Promise<boolean> {
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
