import type { Queryable } from '@tms/service-kit'

/** A direct conversation. */
export interface Conversation {
  readonly recipientId: number
  /** It has no message yet. */
  readonly isUnused: boolean
}

/** Finds the direct conversation between exactly these users, sorted; null if there is none. */
export async function findConversation(
  db: Queryable,
  realmId: number,
  sortedUserIds: readonly number[],
): Promise<Conversation | null> {
  const { rows } = await db.query<Conversation>({
    name: 'find-conversation',
    text: `
      select recipient_id as "recipientId", recipients.last_message_id = 0 as "isUnused"
        from conversations
        join recipients on recipients.id = recipient_id
       where conversations.realm_id = $1
         and user_ids = $2::bigint[]`,
    values: [realmId, sortedUserIds],
  })
  return rows[0] ?? null
}

/**
 * Creates the conversation between these users, sorted. Null if another transaction has just created it; then a
 * recipient remains to which nothing refers.
 */
export async function createConversation(
  db: Queryable,
  realmId: number,
  sortedUserIds: readonly number[],
): Promise<Conversation | null> {
  const { rows } = await db.query<Conversation>(
    `with recipient as (
       insert into recipients (realm_id)
       values ($1)
       returning id
     ), conversation as (
       insert into conversations (recipient_id, realm_id, user_ids)
       select id, $1, $2::bigint[]
         from recipient
           on conflict do nothing
       returning recipient_id
     ), members as (
       insert into conversation_members (user_id, recipient_id)
       select user_id, recipient_id
         from conversation, unnest($2::bigint[]) as member (user_id)
     )
     select recipient_id as "recipientId", true as "isUnused"
       from conversation`,
    [realmId, sortedUserIds],
  )
  return rows[0] ?? null
}
