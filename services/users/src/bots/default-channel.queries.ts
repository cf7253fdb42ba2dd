import type { Queryable } from '@tms/service-kit'
import { CHANNELS, type ChannelIds, type ChannelNames } from './bot.queries.ts'

/** A bot with default channels, and who owns it. */
export interface BotWithChannels extends ChannelIds, ChannelNames {
  readonly id: number
  readonly realmId: number
  readonly owner: { readonly id: number; readonly role: number } | null
}

/**
 * The next bots that have a default channel, or the name of one, by ID; served by an index that has no others. Those of an
 * organization that is being imported, whose channels may not be there yet, are left alone until it is known.
 */
export async function listBotsWithChannels(
  db: Queryable,
  page: { afterId: number; limit: number },
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
       order by user_id
       limit $2`,
    values: [page.afterId, page.limit],
  })
  return rows
}
