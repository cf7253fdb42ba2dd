import { badRequest, limits } from '@tms/contracts'

/** Throws BAD_REQUEST if an organization that has these emoji can't have another. */
export function checkEmojiRoom(emoji: readonly { readonly isDeactivated: boolean }[]): void {
  const { maxCustomEmoji, maxCustomEmojiEver } = limits
  if (emoji.length >= maxCustomEmojiEver)
    throw badRequest(
      `An organization can have at most ${maxCustomEmojiEver} custom emoji, deactivated ones included`,
    )
  if (emoji.filter(({ isDeactivated }) => !isDeactivated).length >= maxCustomEmoji)
    throw badRequest(`An organization can have at most ${maxCustomEmoji} custom emoji`)
}
