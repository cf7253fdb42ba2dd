import { badRequest, limits } from '@tms/contracts'

/** Prefixes of other kinds of groups and mentions. */
const RESERVED_PREFIXES = ['@', 'role:', 'user:', 'stream:', 'channel:']
/** Control characters, lone surrogates and noncharacters. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u
/** The same, but with line breaks and tabs allowed. */
const FORBIDDEN_IN_TEXT = /[^\P{Cc}\n\r\t]|[\p{Cs}\p{Noncharacter_Code_Point}]/u

/** Returns the name as it is stored. Lengths are in code points. Throws BAD_REQUEST. */
export function checkGroupName(text: string): string {
  const name = text.trim()
  const { maxUserGroupNameLength: max } = limits
  if (name === '') throw badRequest('The name of a group cannot be empty')
  if ([...name].length > max) throw badRequest(`The name of a group has at most ${max} characters`)
  if (FORBIDDEN.test(name)) throw badRequest('The name has characters that names cannot have')
  const prefix = RESERVED_PREFIXES.find((reserved) => name.toLowerCase().startsWith(reserved))
  if (prefix !== undefined) throw badRequest(`The name of a group cannot start with '${prefix}'`)
  return name
}

/** The key by which a name is unique and found: mentions ignore case. */
export function groupNameKey(name: string): string {
  // Upper case first, for letters with two lower-case forms.
  return name.toUpperCase().toLowerCase()
}

/** Returns the description as it is stored. Throws BAD_REQUEST. */
export function checkGroupDescription(text: string): string {
  const { maxUserGroupDescriptionLength: max } = limits
  if ([...text].length > max) throw badRequest(`The description of a group has at most ${max} characters`)
  if (FORBIDDEN_IN_TEXT.test(text)) throw badRequest('The description has characters that cannot be stored')
  return text
}
