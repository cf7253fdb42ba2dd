import type { Queryable, Tx } from '@tms/service-kit'

/** A channel, and whether it is recently active by now. */
export interface ChannelActivity {
  readonly id: number
  readonly realmId: number
  readonly recipientId: number
  readonly isRecentlyActive: boolean
}

/** Lists the channels whose activity isn't stored as it is by now; reads all channels, and the last message of each. */
export async function listChangedActivity(db: Queryable, since: Date): Promise<ChannelActivity[]> {
  const { rows } = await db.query<ChannelActivity>(
    `select channels.id, channels.realm_id as "realmId", channels.recipient_id as "recipientId",
            now_active as "isRecentlyActive"
       from channels
       left join lateral (
              select sent_at
                from messages
               where messages.recipient_id = channels.recipient_id
               order by id desc
               limit 1) newest on true
      cross join lateral (
              select channels.created_at >= $1 or coalesce(newest.sent_at >= $1, false) as now_active) activity
      where channels.is_recently_active <> now_active
      order by channels.id`,
    [since],
  )
  return rows
}

/** Stores the activity of a channel. Needs the lock of its recipient. */
export async function setRecentlyActive(tx: Tx, channelId: number, isRecentlyActive: boolean): Promise<void> {
  await tx.query('update channels set is_recently_active = $2 where id = $1', [channelId, isRecentlyActive])
}
