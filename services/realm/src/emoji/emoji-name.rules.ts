import { badRequest, Role } from '@tms/contracts'
import { codeOfEmojiName } from '@tms/emoji'

const NAME = /^[0-9a-z_-]*[0-9a-z]$/
/** Projections of an organization contain all names. */
const MAX_LENGTH = 100
/** The server's own emoji, which isn't part of Unicode. */
const EXTRA_EMOJI = 'zulip'

/** Validates the name of a new emoji and returns it as it is stored. Throws BAD_REQUEST. */
export function checkEmojiName(requested: string): string {
  const name = requested.trim().replaceAll(' ', '_')
  if (name === '') throw badRequest('The emoji has no name')
  if (!NAME.test(name) || name.length > MAX_LENGTH) {
    throw badRequest(
      'The name of an emoji has lower-case letters, digits, spaces, hyphens and underscores, and a letter or digit at its end',
    )
  }
  return name
}

/** Throws BAD_REQUEST for a name that is taken, or that only administrators may redefine. */
export function checkNameIsFree(
  name: string,
  emoji: readonly { readonly name: string; readonly isDeactivated: boolean }[],
  role: number,
): void {
  if (emoji.some((other) => other.name === name && !other.isDeactivated))
    throw badRequest('There is a custom emoji with this name already')
  const isBuiltIn = name === EXTRA_EMOJI || codeOfEmojiName(name) !== null
  if (isBuiltIn && role > Role.administrator)
    throw badRequest('Only administrators can replace an emoji that everyone has')
}
