import type { Queryable, Tx } from '@tms/service-kit'

/** A place that has messages which are older than it keeps them. */
export interface ExpiringPlace {
  readonly realmId: number
  readonly recipientId: number
  /** Null for a direct conversation. */
  readonly channelId: number | null
  /** The people of a direct conversation. */
  readonly userIds: number[] | null
  /** How long messages are kept here. */
  readonly days: number
}

/**
 * The places whose first message is older than they keep messages: channels by their own word, and by the organization's all others,
 * direct conversations included. Looks at no organization that keeps everything, or is not open yet.
 */
export async function listExpiringPlaces(db: Queryable, now: Date): Promise<ExpiringPlace[]> {
  const { rows } = await db.query<ExpiringPlace>({
    name: 'list-expiring-places',
    text: `
      with policies as materialized (
        select realm_id,
               (projection ->> 'message_retention_days')::int as days
          from known_realms
         where (projection ->> 'message_retention_days')::int > 0
      ), kept as (
        select recipient_id, message_retention_days as days
          from channels
         where message_retention_days > 0
           and realm_id not in (select realm_id from unopened_imports)
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
             kept.days
        from kept
        join recipients on recipients.id = kept.recipient_id
        join messages as oldest on oldest.id = recipients.first_message_id
        left join channels on channels.recipient_id = recipients.id
        left join conversations on conversations.recipient_id = recipients.id
       where oldest.sent_at < $1::timestamptz - make_interval(days => kept.days)
       order by recipients.id`,
    values: [now],
  })
  return rows
}

/** A message that is older than its place keeps it. */
export interface ExpiredMessage {
  readonly id: number
  readonly topic: string
  readonly topicKey: string
}

/** Of the first messages of a place, at most `limit`, those that were sent before `cutoff`. */
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
