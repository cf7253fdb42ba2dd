import type { Queryable } from '@tms/service-kit'

/** Finds the newest message that a user received; -1 if there is none. */
export async function findMaxMessageId(db: Queryable, userId: number): Promise<number> {
  const { rows } = await db.query<{ id: number | null }>({
    name: 'find-max-message-id',
    text: `
      select greatest(
               (select max(upper(received * int8multirange(int8range(0, last_message_id, '(]'))) - 1)
                  from subscriptions
                  join channels on channels.id = channel_id
                  join recipients on recipients.id = channels.recipient_id
                 where user_id = $1
                   and last_message_id > 0),
               (select max(nullif(last_message_id, 0))
                  from conversation_members
                  join recipients on recipients.id = recipient_id
                 where user_id = $1)) as id`,
    values: [userId],
  })
  return rows[0]?.id ?? -1
}

/** Lists the newest starred messages of a user, at most `limit`, ascending. */
export async function listStarredIds(db: Queryable, userId: number, limit: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'list-starred-ids',
    text: `
      select message_id as id
        from message_flags
       where user_id = $1
         and is_starred
       order by message_id desc
       limit $2`,
    values: [userId, limit],
  })
  return rows.map(({ id }) => id).reverse()
}

/** A direct conversation as `recent_private_conversations` shows it. */
export interface RecentConversation {
  /** Without the owner of the list. */
  readonly user_ids: readonly number[]
  readonly max_message_id: number
}

/** Lists the latest conversations of a user, at most `limit`, newest first. */
export async function listRecentConversations(
  db: Queryable,
  userId: number,
  limit: number,
): Promise<RecentConversation[]> {
  const { rows } = await db.query<RecentConversation>({
    name: 'list-recent-conversations',
    text: `
      select to_json(array_remove(conversations.user_ids, $1::bigint)) as user_ids,
             recipients.last_message_id as max_message_id
        from conversation_members
        join recipients on recipients.id = conversation_members.recipient_id
        join conversations on conversations.recipient_id = conversation_members.recipient_id
       where conversation_members.user_id = $1
         and recipients.last_message_id > 0
       order by recipients.last_message_id desc
       limit $2`,
    values: [userId, limit],
  })
  return rows
}

/** Lists the channels that a user is subscribed to, by ID; archived ones on request. */
export async function listSubscribedIds(
  db: Queryable,
  userId: number,
  { withArchived }: { readonly withArchived: boolean },
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: `list-subscribed-ids${withArchived ? '-with-archived' : ''}`,
    text: `
      select channel_id as id
        from subscriptions
       where user_id = $1
         and ${withArchived ? '(is_active or is_in_archive)' : 'is_active'}
       order by channel_id`,
    values: [userId],
  })
  return rows.map(({ id }) => id)
}
