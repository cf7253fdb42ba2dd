import { type ChannelRecord, channelRules } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { channelColumns } from '../kernel/access/access.queries.ts'
import { allowsSql } from '../kernel/access/access-sql.ts'
import { hideDeactivated, RECORD_COLUMNS } from '../kernel/channels/channel-record.queries.ts'

/** SQL: whether spectators see the channels of a table. */
const isVisible = (table: string): string =>
  allowsSql(channelRules.see, {
    ...channelColumns(table),
    isSubscribed: false,
    isViewer: false,
    isReader: false,
    role: null,
  })

/** Whether an organization has a web-public channel. */
export async function hasWebPublicChannel(db: Queryable, realmId: number): Promise<boolean> {
  const { rows } = await db.query<{ exists: boolean }>({
    name: 'has-web-public-channel',
    text: `
      select exists (select
                       from channels
                      where realm_id = $1
                        and ${isVisible('channels')}) as exists`,
    values: [realmId],
  })
  return rows[0]?.exists ?? false
}

/** The organization's web-public channels, by name. */
export async function listWebPublicChannels(db: Queryable, realmId: number): Promise<ChannelRecord[]> {
  const { rows } = await db.query<ChannelRecord>({
    name: 'list-web-public-channels',
    text: `
      select ${RECORD_COLUMNS}
        from channel_records
       where realm_id = $1
         and ${isVisible('channel_records')}
       order by name collate "C"`,
    values: [realmId],
  })
  return hideDeactivated(db, rows)
}

/** The newest message of the organization's web-public channels; -1 if none. */
export async function findMaxWebPublicId(db: Queryable, realmId: number): Promise<number> {
  const { rows } = await db.query<{ id: number | null }>({
    name: 'find-max-web-public-id',
    text: `
      select max(nullif(last_message_id, 0)) as id
        from channels
        join recipients on recipients.id = channels.recipient_id
       where channels.realm_id = $1
         and ${isVisible('channels')}`,
    values: [realmId],
  })
  return rows[0]?.id ?? -1
}

/**
 * IDs of users who sent one of the newest messages of the organization's web-public channels, at most `limit`,
 * reacted to one, or are mentioned in one.
 */
export async function listUsersInWebPublicChannels(
  db: Queryable,
  realmId: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>({
    name: 'list-users-in-web-public-channels',
    text: `
      with newest as materialized (
        select message.id
          from channels
         cross join lateral (
               select id
                 from messages
                where messages.recipient_id = channels.recipient_id
                order by id desc
                limit $2) message
         where channels.realm_id = $1
           and ${isVisible('channels')}
         order by message.id desc
         limit $2
      ), written as materialized (
        select sender_id, rendered_content
          from messages
         where id in (select id from newest)
      )
      select sender_id as "userId"
        from written
       union
      select user_id
        from reactions
       where message_id in (select id from newest)
       union
      select sender_id
        from submessages
       where message_id in (select id from newest)
       union
      select mention[1]::bigint
        from written
       cross join lateral regexp_matches(rendered_content, 'data-user-id="(\\d{1,15})"', 'g') as mention
       where rendered_content like '%data-user-id="%'`,
    values: [realmId, limit],
  })
  return rows.map(({ userId }) => userId)
}
