import { NAME_PLACEHOLDER } from '@tms/contracts'

/** Longer names than any directory has aren't looked for. */
const MAX_NAME_LENGTH = 254

/** Whether a text can be the name of a person in a directory. */
export function isUserName(text: string): boolean {
  return text !== '' && text.length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(text)
}

/** Puts a user name into a filter, in which it stands for itself alone (RFC 4515). */
export function fillFilter(filter: string, name: string): string {
  return filter.replaceAll(NAME_PLACEHOLDER, () => escapeFilterValue(name))
}

/** The filter of all entries that some name finds. */
export function widenFilter(filter: string): string {
  return filter.replaceAll(NAME_PLACEHOLDER, '*')
}

/** The filter of all such entries whose attribute has this value. */
export function narrowFilter(filter: string, attribute: string, value: string): string {
  return `(&${widenFilter(filter)}(${attribute}=${escapeFilterValue(value)}))`
}

/** Puts a user name into a DN, in which it stands for itself alone (RFC 4514). */
export function fillDn(template: string, name: string): string {
  return template.replaceAll(NAME_PLACEHOLDER, () => name.replace(/["+,;<=>\\#\s\0]/g, escapeCharacter))
}

/** The form in which DNs are compared: case, and spaces around separators, don't matter. */
export function foldDn(dn: string): string {
  return dn
    .trim()
    .toLowerCase()
    .replace(/\s*([,=+])\s*/g, '$1')
}

function escapeFilterValue(value: string): string {
  return value.replace(/[\\*()\0]/g, escapeCharacter)
}

/** A backslash and two hexadecimal digits for each byte. */
function escapeCharacter(character: string): string {
  return [...Buffer.from(character)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('')
}
