import type { CustomEmoji as CustomEmojiRecord } from '@tms/contracts'
import type { CustomEmoji } from '../../generated/prisma/client.ts'
import { emojiUrlOf, stillNameOf } from './emoji-files.ts'

/** A custom emoji as clients receive it. */
export function showCustomEmoji(emoji: CustomEmoji): CustomEmojiRecord {
  const { id, realmId, name, fileName, isAnimated, isDeactivated, authorId } = emoji
  return {
    id: String(id),
    name,
    source_url: emojiUrlOf(realmId, fileName),
    still_url: isAnimated ? emojiUrlOf(realmId, stillNameOf(fileName)) : null,
    deactivated: isDeactivated,
    author_id: authorId,
  }
}
