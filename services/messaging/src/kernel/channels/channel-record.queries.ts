import {
  type ChannelPermissionValues,
  type ChannelRecord,
  channelPermissionNames,
  groupSettingParts,
  withoutMembers,
} from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { listPublishedInactive } from '../projections/published-membership.queries.ts'

/**
 * The columns of the view `channel_records` that form a channel record, without `is_default`. Its permissions are as they
 * are stored: `hideDeactivated` makes them what clients see.
 */
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
  return hideDeactivated(db, rows)
}

/**
 * Records of channels whose permissions don't name users who were last published as deactivated. Costs one query if they
 * name any user.
 */
export async function hideDeactivated<Record extends ChannelPermissionValues>(
  db: Queryable,
  records: Record[],
): Promise<Record[]> {
  const named = new Set(
    records.flatMap((record) =>
      channelPermissionNames.flatMap((name) => groupSettingParts(record[name]).direct_members),
    ),
  )
  if (named.size === 0) return records
  const deactivated = new Set(await listPublishedInactive(db, [...named]))
  if (deactivated.size === 0) return records
  return records.map((record) => ({
    ...record,
    ...Object.fromEntries(
      channelPermissionNames.map((name) => [name, withoutMembers(record[name], deactivated)]),
    ),
  }))
}

/** The channels of an organization with permissions that name a user directly, by ID, archived ones included. */
export async function listChannelIdsNaming(
  db: Queryable,
  realmId: number,
  userId: number,
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'list-channels-naming-user',
    text: `
      select id
        from channels
       where realm_id = $1
         and exists (
               select from jsonb_each(permissions) as permission (name, value)
                where value -> 'direct_members' @> to_jsonb($2::bigint))
       order by id`,
    values: [realmId, userId],
  })
  return rows.map(({ id }) => id)
}
