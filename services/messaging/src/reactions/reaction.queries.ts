import type { ReactionEmoji } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'

type Emoji = Pick<ReactionEmoji, 'emoji_code' | 'reaction_type'>

/** Finds a reaction with an emoji, preferably the user's own. */
export async function findReaction(
  tx: Tx,
  messageId: number,
  userId: number,
  { emoji_code, reaction_type }: Emoji,
): Promise<{ emojiName: string; isOwn: boolean } | null> {
  const { rows } = await tx.query<{ emojiName: string; isOwn: boolean }>({
    name: 'find-reaction',
    text: `
      select emoji_name as "emojiName", user_id = $2 as "isOwn"
        from reactions
       where message_id = $1
         and reaction_type = $3
         and emoji_code = $4
       order by user_id = $2 desc
       limit 1`,
    values: [messageId, userId, reaction_type, emoji_code],
  })
  return rows[0] ?? null
}

/** Stores a new reaction. */
export async function insertReaction(
  tx: Tx,
  messageId: number,
  userId: number,
  { emoji_name, emoji_code, reaction_type }: ReactionEmoji,
): Promise<void> {
  await tx.query({
    name: 'insert-reaction',
    text: `
      insert into reactions (message_id, user_id, emoji_name, emoji_code, reaction_type)
      values ($1, $2, $3, $4, $5)`,
    values: [messageId, userId, emoji_name, emoji_code, reaction_type],
  })
}

/** Deletes a reaction and returns the emoji name that it had; null if there is none. */
export async function deleteReaction(
  tx: Tx,
  messageId: number,
  userId: number,
  { emoji_code, reaction_type }: Emoji,
): Promise<string | null> {
  const { rows } = await tx.query<{ emojiName: string }>({
    name: 'delete-reaction',
    text: `
      delete from reactions
       where message_id = $1
         and user_id = $2
         and reaction_type = $3
         and emoji_code = $4
      returning emoji_name as "emojiName"`,
    values: [messageId, userId, reaction_type, emoji_code],
  })
  return rows[0]?.emojiName ?? null
}

/** A reaction as it is stored. */
interface StoredReaction extends ReactionEmoji {
  readonly messageId: number
  readonly userId: number
}

/** Lists the reactions on these messages, oldest first. */
export async function listReactions(db: Queryable, messageIds: readonly number[]): Promise<StoredReaction[]> {
  const { rows } = await db.query<StoredReaction>({
    name: 'list-reactions',
    text: `
      select message_id as "messageId", user_id as "userId", emoji_name, emoji_code, reaction_type
        from reactions
       where message_id = any($1::bigint[])
       order by created_at, user_id`,
    values: [messageIds],
  })
  return rows
}
