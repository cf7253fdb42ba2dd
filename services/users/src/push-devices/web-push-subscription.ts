import { createECDH } from 'node:crypto'
import { badRequest } from '@tms/contracts'
import { isPrivateHost } from '@tms/service-kit'

const KEY_BYTES = 65
const SECRET_BYTES = 16

/**
 * Checks the address of a subscription: https, and no local or private host unless `allowsPrivate`. The connecting code
 * also checks what the name resolves to. Throws BAD_REQUEST.
 */
export function checkEndpoint(text: string, { allowsPrivate }: { readonly allowsPrivate: boolean }): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'https:' && !(allowsPrivate && url?.protocol === 'http:'))
    throw badRequest('endpoint must be an https URL')
  if (url.username !== '' || url.password !== '') throw badRequest('endpoint must have no user name')
  if (!allowsPrivate && isPrivateHost(url.hostname))
    throw badRequest(`endpoint must not lead to a local or private address: ${url.hostname}`)
  return text
}

/** Checks the keys of a subscription and returns them in base64url without padding. Throws BAD_REQUEST. */
export function checkKeys(p256dh: string, auth: string): { readonly p256dh: string; readonly auth: string } {
  const [key, secret] = [decode(p256dh), decode(auth)]
  if (key?.length !== KEY_BYTES || !isPoint(key))
    throw badRequest(`p256dh must be ${KEY_BYTES} bytes in base64url, a point of P-256`)
  if (secret?.length !== SECRET_BYTES) throw badRequest(`auth must be ${SECRET_BYTES} bytes in base64url`)
  return { p256dh: key.toString('base64url'), auth: secret.toString('base64url') }
}

const decode = (text: string): Buffer | null =>
  /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : null

function isPoint(key: Buffer): boolean {
  const any = createECDH('prime256v1')
  any.generateKeys()
  try {
    any.computeSecret(key)
    return true
  } catch {
    return false
  }
}
