import type { Pool } from '@tms/service-kit'
import { CHANNEL_SETTINGS } from './channel-setting.rules.ts'

/** An organization, and the channels in its settings. */
export interface NamedChannels {
  readonly realmId: number
  readonly channelIds: readonly number[]
}

/**
 * Organizations with a channel in their settings, by ID: the first `limit` after `afterId`, without those being
 * imported.
 */
export async function listNamedChannels(
  db: Pool,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<NamedChannels[]> {
  const { rows } = await db.query<NamedChannels>({
    name: 'list-named-channels',
    text: `
      select id as "realmId",
             (select json_agg(distinct (settings ->> name)::bigint)
                from unnest($3::text[]) as name
               where (settings ->> name)::bigint >= 0) as "channelIds"
        from realms
       where id > $1
         and import_begun_at is null
         and exists (
               select
                 from unnest($3::text[]) as name
                where (settings ->> name)::bigint >= 0)
       order by id
       limit $2`,
    values: [afterId, limit, CHANNEL_SETTINGS],
  })
  return rows
}
