import { badRequest } from '@tms/contracts'

/** Limits of an address and of its local part (RFC 5321). */
const MAX_LENGTH = 254
const MAX_LOCAL_LENGTH = 64
/**
 * Unquoted local parts; host names with or without a dot (`localhost` on test systems). ASCII only, so that the
 * database and all services fold case alike.
 */
const ADDRESS =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i

export function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && text.indexOf('@') <= MAX_LOCAL_LENGTH && ADDRESS.test(text)
}

/** The form in which addresses are compared and looked up. */
export function foldEmail(text: string): string {
  return text.trim().toLowerCase()
}

/** Returns the address as it is stored. Throws BAD_REQUEST. */
export function checkNewEmail(text: string): string {
  const address = text.trim()
  if (!isEmail(address)) throw badRequest('The e-mail address is not valid')
  return address
}
