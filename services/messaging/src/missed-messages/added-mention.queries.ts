import type { Queryable, Tx } from '@tms/service-kit'

/** Users that an edit mentions for the first time. */
export interface AddedMentions {
  readonly id: number
  readonly messageId: number
  readonly userIds: readonly number[]
}

/**
 * Records which of these users the new text of a channel message mentions and the one before did not. Call it before
 * the text and the flags change. Nobody is new if the text before mentioned everyone.
 */
export async function recordAddedMentions(
  tx: Tx,
  messageId: number,
  mentionedUserIds: readonly number[],
): Promise<void> {
  if (mentionedUserIds.length === 0) return
  await tx.query({
    name: 'record-added-mentions',
    text: `
      insert into added_mentions (realm_id, message_id, user_ids)
      select m.realm_id, m.id, array_agg(mentioned.user_id)
        from messages m
       cross join unnest($2::bigint[]) as mentioned (user_id)
       where m.id = $1
         and m.channel_id is not null
         and not m.mentions_channel
         and not m.mentions_topic
         and not exists (select
                           from message_flags f
                          where f.message_id = m.id
                            and f.user_id = mentioned.user_id
                            and f.is_mentioned)
       group by m.realm_id, m.id`,
    values: [messageId, mentionedUserIds],
  })
}

/** The oldest such edit of a message up to `upTo`; null if there is none. */
export async function findAddedMentions(db: Queryable, upTo: number): Promise<AddedMentions | null> {
  const { rows } = await db.query<AddedMentions>({
    name: 'find-added-mentions',
    text: `
      select id, message_id as "messageId", to_json(user_ids) as "userIds"
        from added_mentions
       where message_id <= $1
       order by id
       limit 1`,
    values: [upTo],
  })
  return rows[0] ?? null
}

/** False if another replica has decided it. */
export async function deleteAddedMentions(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await tx.query({
    name: 'delete-added-mentions',
    text: 'delete from added_mentions where id = $1 returning id',
    values: [id],
  })
  return rows.length > 0
}
