import type { Queryable, Tx } from '@tms/service-kit'
import { type ChannelIds, type ChannelNames, DEFAULT_CHANNEL_COLUMNS } from '../kernel/bots/bot.queries.ts'
import { locks } from '../kernel/locks.ts'

/** A bot with default channels, and its owner. */
export interface BotWithChannels extends ChannelIds, ChannelNames {
  readonly id: number
  readonly realmId: number
  readonly owner: { readonly id: number; readonly role: number } | null
}

/** Restricts bots by ID, owner and default channel. */
export interface BotFilter {
  readonly realmId: number
  readonly ids?: readonly number[]
  readonly ownerIds?: readonly number[]
  readonly channelIds?: readonly number[]
}

/**
 * Serializes changes of default channels and their names within an organization, so that no older name overwrites a
 * newer one between asking messaging and writing.
 */
export async function lockChannelNames(tx: Tx, realmId: number): Promise<void> {
  tx.lockRecord.add(locks.channelNames, [realmId])
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended('names of default channels in ' || $1::integer, 0))::text`,
    [realmId],
  )
}

/**
 * The next bots with a default channel or a name of one, by ID, from a partial index. Skips organizations under
 * import, whose channels may not exist yet.
 */
export async function listBotsWithChannels(
  db: Queryable,
  page: { afterId: number; limit: number },
  { realmId, ids, ownerIds, channelIds }: Partial<BotFilter> = {},
): Promise<BotWithChannels[]> {
  const { rows } = await db.query<BotWithChannels>({
    name: 'bots-with-default-channels',
    text: `
      select bot.id, bot.realm_id as "realmId", ${DEFAULT_CHANNEL_COLUMNS},
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
