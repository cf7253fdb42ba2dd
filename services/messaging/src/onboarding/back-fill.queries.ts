import type { Tx } from '@tms/service-kit'

/** How much of the history new users get, and how much of that is unread. */
const MAX_MESSAGES = 1_000
const MAX_AGE_WEEKS = 12
const UNREAD_MESSAGES = 20

/**
 * Adds the newest messages of channels to what a new subscriber has received: 1,000 in all, from the last twelve
 * weeks, the last 20 of them unread. IDs grow in the order of sending, so two bounds give the same range in every
 * channel, for any number of channels. Needs the channels' locks.
 */
export async function backFill(
  tx: Tx,
  userId: number,
  { channelIds, recipientIds }: { channelIds: readonly number[]; recipientIds: readonly number[] },
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'back-fill-subscriptions',
    text: `
      with recent as materialized (
        select newest.id, row_number() over (order by newest.id desc) as rank
          from unnest($3::bigint[]) as recipient (id)
         cross join lateral (
                select id, sent_at
                  from messages
                 where recipient_id = recipient.id
                 order by id desc
                 limit ${MAX_MESSAGES}) as newest
         where newest.sent_at > $4::timestamptz - interval '${MAX_AGE_WEEKS} weeks'
         order by newest.id desc
         limit ${MAX_MESSAGES}
      ), bounds as (
        select min(id) as oldest, min(id) filter (where rank <= ${UNREAD_MESSAGES}) as unread
          from recent
        having count(*) > 0
      )
      update subscriptions s
         set received = s.received + int8multirange(int8range(oldest, null)),
             read = s.read + int8multirange(int8range(oldest, unread))
        from bounds
       where s.user_id = $1
         and s.channel_id = any($2::bigint[])`,
    values: [userId, channelIds, recipientIds, now],
  })
}
