import type { Queryable } from '@tms/service-kit'
import { CHANNELS, type ChannelIds, type ChannelNames } from './bot.queries.ts'

/** A bot with default channels, and who owns it. */
export interface BotWithChannels extends ChannelIds, ChannelNames {
  readonly id: number
  readonly realmId: number
  readonly owner: { readonly id: number; readonly role: number } | null
}

/** Only these bots, only those of these owners, only those that have one of these channels. */
export interface BotFilter {
  readonly realmId: number
  readonly ids?: readonly number[]
  readonly ownerIds?: readonly number[]
  readonly channelIds?: readonly number[]
}

/**
 * Lets one transaction at a time give bots of an organization default channels, and names of them: between asking
 * messaging for the names and writing them, nobody else writes older or newer ones. Take it before every other lock.
 */
export async function lockChannelNames(tx: Queryable, realmId: number): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended('names of default channels in ' || $1::integer, 0))::text`,
    [realmId],
  )
}

/**
 * The next bots that have a default channel, or the name of one, by ID; served by an index that has no others. Those of an
 * organization that is being imported, whose channels may not be there yet, are left alone until it is known.
 */
export async function listBotsWithChannels(
  db: Queryable,
  page: { afterId: number; limit: number },
  { realmId, ids, ownerIds, channelIds }: Partial<BotFilter> = {},
): Promise<BotWithChannels[]> {
  const { rows } = await db.query<BotWithChannels>({
    name: 'bots-with-default-channels',
    text: `
      select bot.id, bot.realm_id as "realmId", ${CHANNELS},
             case when owner.id is not null
                  then json_build_object('id', owner.id, 'role', owner.role)
              end as owner
        from bots
        join accounts bot on bot.id = bots.user_id
        join known_realms on known_realms.realm_id = bot.realm_id
        left join accounts owner on owner.id = bot.bot_owner_id
       where user_id > $1
         and (coalesce(default_sending_stream_id, default_events_register_stream_id) is not null
              or coalesce(default_sending_stream, default_events_register_stream) is not null)
         and ($3::int is null or bot.realm_id = $3)
         and ($4::int[] is null or user_id = any($4))
         and ($5::int[] is null or bot.bot_owner_id = any($5))
         and ($6::int[] is null
              or default_sending_stream_id = any($6)
              or default_events_register_stream_id = any($6))
       order by user_id
       limit $2`,
    values: [page.afterId, page.limit, ...[realmId, ids, ownerIds, channelIds].map((value) => value ?? null)],
  })
  return rows
}
