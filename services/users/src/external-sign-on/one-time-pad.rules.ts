import { createCipheriv, randomBytes } from 'node:crypto'

const IV_BYTES = 12

/** 32 random bytes of a client. */
export const isOneTimePad = (text: string): boolean => /^[0-9a-fA-F]{64}$/.test(text)

/** The API key for the app that has the pad: each byte of one, exclusive or with that of the other. */
export function encryptApiKey(apiKey: string, pad: string): string {
  const [key, mask] = [Buffer.from(apiKey, 'ascii'), Buffer.from(pad, 'hex')]
  if (key.length !== mask.length) throw new Error('the key and the pad differ in length')
  return Buffer.from(key.map((byte, index) => byte ^ (mask[index] ?? 0))).toString('hex')
}

/** A text for the app that has the key: what it needs to begin, the encrypted text, and a proof that nobody changed it. */
export function encryptToken(token: string, key: string, iv: Buffer = randomBytes(IV_BYTES)): string {
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'hex'), iv)
  const encrypted = Buffer.concat([cipher.update(token, 'ascii'), cipher.final()])
  return Buffer.concat([iv, encrypted, cipher.getAuthTag()]).toString('hex')
}

/** The URL that opens the mobile app, with what it needs to sign in. */
export function mobileAppUrl(
  account: { readonly apiKey: string; readonly deliveryEmail: string; readonly id: number },
  realmUrl: string,
  pad: string,
): string {
  const fields = {
    otp_encrypted_api_key: encryptApiKey(account.apiKey, pad),
    email: account.deliveryEmail,
    user_id: String(account.id),
    realm: realmUrl,
  }
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeField(value)}`)
  return `zulip://login?${query.join('&')}`
}

/** As forms are encoded; also what `encodeURIComponent` leaves. */
function encodeField(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}
