import type { Queryable, Tx } from '@tms/service-kit'

/** A channel or conversation with messages older than its retention time. */
export interface ExpiringRecipient {
  readonly realmId: number
  readonly recipientId: number
  /** Null for a direct conversation. */
  readonly channelId: number | null
  /** Members of a direct conversation; null for a channel. */
  readonly userIds: number[] | null
  /** Retention time of its messages. */
  readonly days: number
}

/** No message is older; PostgreSQL has no times that are as long ago as a setting may say, and would fail for all organizations. */
const MAX_DAYS = 36_500

/**
 * Channels and conversations whose first message has expired. A channel's own setting goes before the organization's,
 * which applies to conversations too. Skips organizations that keep everything, or that aren't active yet.
 */
export async function listExpiringRecipients(db: Queryable, now: Date): Promise<ExpiringRecipient[]> {
  const { rows } = await db.query<ExpiringRecipient>({
    name: 'list-expiring-recipients',
    text: `
      with policies as materialized (
        select realm_id,
               (projection ->> 'message_retention_days')::int as days
          from known_realms
         where (projection ->> 'message_retention_days')::int > 0
      ), retention_periods as (
        select recipient_id, message_retention_days as days
          from channels
         where message_retention_days > 0
           and realm_id not in (select realm_id from pending_imports)
         union all
        select recipients.id, policies.days
          from policies
          join recipients using (realm_id)
         where not exists (select
                             from channels
                            where channels.recipient_id = recipients.id
                              and channels.message_retention_days is not null)
      )
      select recipients.realm_id as "realmId",
             recipients.id as "recipientId",
             channels.id as "channelId",
             to_json(conversations.user_ids) as "userIds",
             retention_periods.days
        from retention_periods
        join recipients on recipients.id = retention_periods.recipient_id
        join messages as oldest on oldest.id = recipients.first_message_id
        left join channels on channels.recipient_id = recipients.id
        left join conversations on conversations.recipient_id = recipients.id
       where oldest.sent_at < $1::timestamptz - make_interval(days => least(retention_periods.days, ${MAX_DAYS}))
       order by recipients.id`,
    values: [now],
  })
  return rows
}

/** A message older than its retention time. */
export interface ExpiredMessage {
  readonly id: number
  readonly topic: string
  readonly topicKey: string
}

/** Among the first `limit` messages of a channel or conversation, those that were sent before `cutoff`. */
export async function listExpiredMessages(
  tx: Tx,
  recipientId: number,
  cutoff: Date,
  limit: number,
): Promise<ExpiredMessage[]> {
  const { rows } = await tx.query<ExpiredMessage>({
    name: 'list-expired-messages',
    text: `
      select id, topic, topic_key as "topicKey"
        from (select id, topic, topic_key, sent_at
                from messages
               where recipient_id = $1
               order by id
               limit $3) as first
       where sent_at < $2
       order by id`,
    values: [recipientId, cutoff, limit],
  })
  return rows
}
