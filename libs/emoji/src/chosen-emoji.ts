import { badRequest, type ReactionEmoji, type RealmFacts } from '@tms/contracts'
import { codeOfEmojiName, namesOfEmojiCode } from './emoji-names.ts'

/** Emoji that are neither of Unicode nor an organization's own; the code is the name. */
const EXTRA_EMOJI = 'zulip'

type Realm = Pick<RealmFacts, 'custom_emoji'>

/**
 * The emoji that a name means now: an organization's own emoji come before extra ones, and these before those of
 * Unicode. Throws BAD_REQUEST for a name that means none.
 */
export function emojiOfName({ custom_emoji }: Realm, name: string): ReactionEmoji {
  const custom = custom_emoji.find((emoji) => emoji.name === name && !emoji.deactivated)
  if (custom) return { emoji_name: name, emoji_code: custom.id, reaction_type: 'realm_emoji' }
  if (name === EXTRA_EMOJI) {
    return { emoji_name: name, emoji_code: name, reaction_type: 'zulip_extra_emoji' }
  }
  const code = codeOfEmojiName(name)
  if (code === null) throw badRequest(`Emoji '${name}' does not exist`)
  return { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' }
}

/**
 * The emoji that a client means; what it leaves out follows from the name. Throws BAD_REQUEST for a name that means
 * none.
 */
export function askedEmoji(
  realm: Realm,
  asked: {
    readonly emoji_name: string
    readonly emoji_code?: string | undefined
    readonly reaction_type?: ReactionEmoji['reaction_type'] | undefined
  },
): ReactionEmoji {
  const { emoji_name, emoji_code, reaction_type } = asked
  if (emoji_code !== undefined && reaction_type !== undefined)
    return { emoji_name, emoji_code, reaction_type }
  const named = emojiOfName(realm, emoji_name)
  return {
    emoji_name,
    emoji_code: emoji_code ?? named.emoji_code,
    reaction_type: reaction_type ?? named.reaction_type,
  }
}

/**
 * Throws BAD_REQUEST unless name, code and type belong together and the emoji may be used. Of reactions, only the
 * first with an emoji is asked: others join it.
 */
export function checkEmoji({ custom_emoji }: Realm, emoji: ReactionEmoji): void {
  const { emoji_name: name, emoji_code: code } = emoji
  switch (emoji.reaction_type) {
    case 'realm_emoji': {
      const custom = custom_emoji.find(({ id }) => id === code)
      if (!custom) throw badRequest('Invalid custom emoji.')
      if (custom.name !== name) throw badRequest('Invalid custom emoji name.')
      if (custom.deactivated) throw badRequest('This custom emoji has been deactivated.')
      return
    }
    case 'zulip_extra_emoji':
      if (code !== EXTRA_EMOJI) throw badRequest('Invalid emoji code.')
      if (name !== code) throw badRequest('Invalid emoji name.')
      return
    case 'unicode_emoji': {
      const names = namesOfEmojiCode(code)
      if (names.length === 0) throw badRequest('Invalid emoji code.')
      if (!names.includes(name)) throw badRequest('Invalid emoji name.')
    }
  }
}
