import type { Queryable, Tx } from '@tms/service-kit'

/** A channel, and whether it is recently active by now. */
export interface ChannelActivity {
  readonly id: number
  readonly realmId: number
  readonly recipientId: number
  readonly isRecentlyActive: boolean
}

/** SQL: whether a channel was created since `$1`, or has a message from the ID `$2` on; null is no message. */
const IS_RECENTLY_ACTIVE = `
  (channels.created_at >= $1
   or (recipients.last_message_id > 0 and coalesce(recipients.last_message_id >= $2::bigint, false)))`

/** Lists the channels whose activity isn't stored as it is by now; reads all channels, but no messages. */
export async function listChangedActivity(
  db: Queryable,
  since: Date,
  fromId: number | null,
): Promise<ChannelActivity[]> {
  const { rows } = await db.query<ChannelActivity>(
    `select channels.id, channels.realm_id as "realmId", channels.recipient_id as "recipientId",
            ${IS_RECENTLY_ACTIVE} as "isRecentlyActive"
       from channels
       join recipients on recipients.id = channels.recipient_id
      where channels.is_recently_active <> ${IS_RECENTLY_ACTIVE}
      order by channels.id`,
    [since, fromId],
  )
  return rows
}

/** Stores the activity of a channel. Needs the lock of its recipient. */
export async function setRecentlyActive(tx: Tx, channelId: number, isRecentlyActive: boolean): Promise<void> {
  await tx.query('update channels set is_recently_active = $2 where id = $1', [channelId, isRecentlyActive])
}
