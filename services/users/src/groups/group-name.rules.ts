import { badRequest, limits } from '@tms/contracts'

/** What begins otherwise is another kind of group, or reads like a mention of one. */
const RESERVED_PREFIXES = ['@', 'role:', 'user:', 'stream:', 'channel:']
/** Control characters, lone surrogates and code points that stand for no character. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u
/** The same where lines may break. */
const FORBIDDEN_IN_TEXT = /[^\P{Cc}\n\r\t]|[\p{Cs}\p{Noncharacter_Code_Point}]/u

/** A group's name as it will be stored. Throws BAD_REQUEST; lengths are in code points. */
export function checkGroupName(text: string): string {
  const name = text.trim()
  const { maxUserGroupNameLength: max } = limits
  if (name === '') throw badRequest('The name of a group can not be empty')
  if ([...name].length > max) throw badRequest(`The name of a group has at most ${max} characters`)
  if (FORBIDDEN.test(name)) throw badRequest('The name has characters that names can not have')
  const prefix = RESERVED_PREFIXES.find((reserved) => name.startsWith(reserved))
  if (prefix !== undefined) throw badRequest(`The name of a group can not start with '${prefix}'`)
  return name
}

/** By what a name is found and told from others: mentions don't regard case, so two names may not differ by it alone. */
export function groupNameKey(name: string): string {
  // Upper case first, for letters with two lower-case forms.
  return name.toUpperCase().toLowerCase()
}

/** A group's description as it will be stored. Throws BAD_REQUEST. */
export function checkGroupDescription(text: string): string {
  const { maxUserGroupDescriptionLength: max } = limits
  if ([...text].length > max) throw badRequest(`The description of a group has at most ${max} characters`)
  if (FORBIDDEN_IN_TEXT.test(text)) throw badRequest('The description has characters that can not be stored')
  return text
}
