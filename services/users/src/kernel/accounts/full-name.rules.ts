import { badRequest } from '@tms/contracts'

const MIN_LENGTH = 2
const MAX_LENGTH = 100
/** Characters that break mentions, which are written as `@**name**` or `@**name|id**`. */
const FORBIDDEN = /[*`\\>"@]/
/** Control, format, private and unassigned characters. */
const INVISIBLE = /\p{C}/u

/** Returns the name as it is stored. Throws BAD_REQUEST. */
export function checkFullName(text: string): string {
  const name = text.trim()
  const { length } = [...name]
  if (length < MIN_LENGTH) throw badRequest(`A name has at least ${MIN_LENGTH} characters`)
  if (length > MAX_LENGTH) throw badRequest(`A name has at most ${MAX_LENGTH} characters`)
  if (INVISIBLE.test(name) || FORBIDDEN.test(name))
    throw badRequest('The name has characters that names cannot have')
  if (/\|\d+$/.test(name)) throw badRequest('A name cannot end in a vertical bar and digits')
  return name
}

/** The form in which names are compared for uniqueness: case and width don't matter. */
export function foldFullName(name: string): string {
  // Upper case first: otherwise `ß` and `ss`, and the two forms of sigma, would differ.
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}
