import { type ChannelRecord, channelPermissionNames } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/** The columns of the view `channel_records` that form a channel record, without `is_default`. */
export const RECORD_COLUMNS = `
  stream_id, name, is_archived, description, rendered_description, date_created, creator_id, first_message_id,
  invite_only, is_web_public, history_public_to_subscribers, stream_post_policy, message_retention_days,
  ${channelPermissionNames.join(', ')}, is_announcement_only, stream_weekly_traffic,
  is_recently_active`

/** Lists the records of these channels in the order of their IDs, archived ones included. */
export async function listChannelRecords(
  db: Queryable,
  channelIds: readonly number[],
): Promise<ChannelRecord[]> {
  const { rows } = await db.query<ChannelRecord>({
    name: 'list-channel-records',
    text: `
      select ${RECORD_COLUMNS}
        from channel_records
       where stream_id = any($1)
       order by stream_id`,
    values: [channelIds],
  })
  return rows
}

/** Lists the records of the default channels of an organization by name. */
export async function listDefaultChannelRecords(db: Queryable, realmId: number): Promise<ChannelRecord[]> {
  const { rows } = await db.query<ChannelRecord>(
    `select ${RECORD_COLUMNS}
       from channel_records
      where realm_id = $1
        and is_default
        and not is_archived
      order by name collate "C"`,
    [realmId],
  )
  return rows
}
