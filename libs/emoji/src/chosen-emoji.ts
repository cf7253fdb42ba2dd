import { badRequest, type ReactionEmoji, type RealmProjection } from '@tms/contracts'
import { codeOfEmojiName, namesOfEmojiCode } from './emoji-names.ts'

/** An emoji that is neither Unicode's nor an organization's; its code is its name. */
const EXTRA_EMOJI = 'zulip'

type Realm = Pick<RealmProjection, 'custom_emoji'>

/**
 * The emoji that a name means now: an organization's custom emoji come first, then the extra one, then Unicode's.
 * Throws BAD_REQUEST if the name means no emoji.
 */
export function emojiOfName(realm: Realm, name: string): ReactionEmoji {
  const emoji = findEmojiOfName(realm, name)
  if (emoji === null) throw badRequest(`Emoji '${name}' does not exist`)
  return emoji
}

function findEmojiOfName({ custom_emoji }: Realm, name: string): ReactionEmoji | null {
  const custom = custom_emoji.find((emoji) => emoji.name === name && !emoji.deactivated)
  if (custom) return { emoji_name: name, emoji_code: custom.id, reaction_type: 'realm_emoji' }
  if (name === EXTRA_EMOJI) {
    return { emoji_name: name, emoji_code: name, reaction_type: 'zulip_extra_emoji' }
  }
  const code = codeOfEmojiName(name)
  if (code === null) return null
  return { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' }
}

/**
 * The emoji that a client requests; missing fields follow from the name. A code with an unknown name is one of
 * Unicode's, since every custom emoji is known by its name. Throws BAD_REQUEST if the name is unknown and there is no
 * code.
 */
export function requestedEmoji(
  realm: Realm,
  requested: {
    readonly emoji_name: string
    readonly emoji_code?: string | undefined
    readonly reaction_type?: ReactionEmoji['reaction_type'] | undefined
  },
): ReactionEmoji {
  const { emoji_name, emoji_code, reaction_type } = requested
  if (emoji_code !== undefined && reaction_type !== undefined)
    return { emoji_name, emoji_code, reaction_type }
  const named = findEmojiOfName(realm, emoji_name)
  if (named === null && emoji_code !== undefined)
    return { emoji_name, emoji_code, reaction_type: 'unicode_emoji' }
  if (named === null) throw badRequest(`Emoji '${emoji_name}' does not exist`)
  return {
    emoji_name,
    emoji_code: emoji_code ?? named.emoji_code,
    reaction_type: reaction_type ?? named.reaction_type,
  }
}

/**
 * The emoji as it is stored. Throws BAD_REQUEST unless name, code and type belong together and the emoji may be used.
 * Only the first reaction with an emoji is validated: others join it.
 *
 * Clients know names of Unicode's emoji that we don't. Their code identifies the emoji, so it is stored under its
 * canonical name. A name that means another emoji is rejected.
 */
export function validateEmoji(realm: Realm, emoji: ReactionEmoji): ReactionEmoji {
  const { emoji_name: name, emoji_code: code } = emoji
  switch (emoji.reaction_type) {
    case 'realm_emoji': {
      const custom = realm.custom_emoji.find(({ id }) => id === code)
      if (!custom) throw badRequest('Invalid custom emoji.')
      if (custom.name !== name) throw badRequest('Invalid custom emoji name.')
      if (custom.deactivated) throw badRequest('This custom emoji has been deactivated.')
      return emoji
    }
    case 'zulip_extra_emoji':
      if (code !== EXTRA_EMOJI) throw badRequest('Invalid emoji code.')
      if (name !== code) throw badRequest('Invalid emoji name.')
      return emoji
    case 'unicode_emoji': {
      const names = namesOfEmojiCode(code)
      const [shown] = names
      if (shown === undefined) throw badRequest('Invalid emoji code.')
      if (names.includes(name)) return emoji
      if (findEmojiOfName(realm, name) !== null) throw badRequest('Invalid emoji name.')
      return { ...emoji, emoji_name: shown }
    }
  }
}
