import { badRequest, limits } from '@tms/contracts'
import { formerNameOf, isArchivedName } from '../kernel/channels/archived-name.rules.ts'

/** Control characters, lone surrogates and code points that are not characters. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u

/** Whether a name or topic contains a forbidden character. */
export function hasForbiddenCharacter(text: string): boolean {
  return FORBIDDEN.test(text)
}

/**
 * Validates and trims a name for a channel: none that looks like that of an archived channel, which would be mistaken for it. Throws
 * BAD_REQUEST; lengths are in code points.
 */
export function parseChannelName(raw: string): string {
  const name = raw.trim()
  if (name === '') throw badRequest("Channel name can't be empty.")
  if ([...name].length > limits.maxChannelNameLength) {
    throw badRequest(`Channel name is too long (limit: ${limits.maxChannelNameLength} characters).`)
  }
  if (hasForbiddenCharacter(name)) throw badRequest('Channel name contains a character that is not allowed.')
  if (isArchivedName(name)) throw badRequest('Only archived channels have such a name.')
  return name
}

/** The same for a channel that may exist already: an archived one has a longer name. Throws BAD_REQUEST. */
export function parseNamedChannel(raw: string): string {
  const name = raw.trim()
  if (!isArchivedName(name)) return parseChannelName(name)
  parseChannelName(formerNameOf(name))
  return name
}

/** Validates the description of a channel and makes one line of it. Throws BAD_REQUEST. */
export function parseChannelDescription(raw: string): string {
  const description = raw.replace(/\r\n|\r|\n/g, ' ')
  if ([...description].length > limits.maxChannelDescriptionLength) {
    throw badRequest(
      `Channel description is too long (limit: ${limits.maxChannelDescriptionLength} characters).`,
    )
  }
  return description
}
