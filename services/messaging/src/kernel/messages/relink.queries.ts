import type { Tx } from '@tms/service-kit'

/**
 * Makes the slots of a recipient disjoint again after messages were added, moved or deleted: those of the messages
 * themselves and of their successors. Also updates its first and last message; without any, the version increases, so that
 * the next message is sent as the first one. Needs the lock of the recipient.
 */
export async function relink(tx: Tx, recipientId: number, messageIds: readonly number[]): Promise<void> {
  await tx.query({
    name: 'relink-slots',
    text: `
      with affected as materialized (
        select id
          from messages
         where recipient_id = $1
           and id = any($2::bigint[])
         union
        select following.id
          from unnest($2::bigint[]) as changed (id)
         cross join lateral (
                select m.id
                  from messages m
                 where m.recipient_id = $1
                   and m.id > changed.id
                 order by m.id
                 limit 1) following
      )
      update messages m
         set previous_id = coalesce((select p.id
                                       from messages p
                                      where p.recipient_id = $1
                                        and p.id < affected.id
                                      order by p.id desc
                                      limit 1), 0)
        from affected
       where m.id = affected.id`,
    values: [recipientId, messageIds],
  })
  await tx.query({
    name: 'refresh-ends',
    text: `
      with first as materialized (
        select (select m.id from messages m where m.recipient_id = $1 order by m.id limit 1) as id
      )
      update recipients
         set first_message_id = first.id,
             last_message_id = coalesce(
               (select m.id from messages m where m.recipient_id = $1 order by m.id desc limit 1), 0),
             version = version + (first.id is null)::int
        from first
       where recipients.id = $1`,
    values: [recipientId],
  })
}
