import { badRequest } from '@tms/contracts'

/** Of an address with local part and domain (RFC 5321). */
const MAX_LENGTH = 254
const MAX_LOCAL_LENGTH = 64
/**
 * Unquoted local parts and host names with a dot or not (`localhost` is a domain on test systems). ASCII only,
 * so that the database and every service fold case alike.
 */
const ADDRESS =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i

/** Whether the text is an e-mail address. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && text.indexOf('@') <= MAX_LOCAL_LENGTH && ADDRESS.test(text)
}

/** The form in which addresses are compared and looked up. */
export function foldEmail(text: string): string {
  return text.trim().toLowerCase()
}

/** An address for a new account, as it will be stored. Throws BAD_REQUEST. */
export function checkNewEmail(text: string): string {
  const address = text.trim()
  if (!isEmail(address)) throw badRequest('The e-mail address is not valid')
  return address
}
