import { badRequest } from '@tms/contracts'

const MIN_LENGTH = 2
const MAX_LENGTH = 100
/** What would break mentions, which are written as `@**name**` or `@**name|id**`. */
const FORBIDDEN = /[*`\\>"@]/
/** Control, format, private and unassigned characters. */
const INVISIBLE = /\p{C}/u

/** A full name as it will be stored. Throws BAD_REQUEST. */
export function checkFullName(text: string): string {
  const name = text.trim()
  const { length } = [...name]
  if (length < MIN_LENGTH) throw badRequest(`A name has at least ${MIN_LENGTH} characters`)
  if (length > MAX_LENGTH) throw badRequest(`A name has at most ${MAX_LENGTH} characters`)
  if (INVISIBLE.test(name) || FORBIDDEN.test(name))
    throw badRequest('The name has characters that names can not have')
  if (/\|\d+$/.test(name)) throw badRequest('A name can not end in a vertical bar and digits')
  return name
}

/** The form in which names are compared where no two may be the same: without regard to case and width. */
export function foldFullName(name: string): string {
  // Upper case first: only that way `ß` and `ss`, and the two forms of sigma, become the same.
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}
