import { createECDH } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'

/** How long a signature is used: push services refuse those for more than a day. */
const VALID_SECONDS = 12 * 3_600
const RENEWED_BEFORE_SECONDS = 3_600
/** Users choose addresses, so the cache is bounded. */
const MAX_ORIGINS = 1_000

/** The key of the installation, by which push services recognize it (VAPID, RFC 8292). */
export interface VapidKeys {
  /** 65 bytes in base64url. */
  readonly publicKey: string
  /** 32 bytes in base64url. */
  readonly privateKey: string
}

/** Makes the `Authorization` for an address. */
export type SignVapid = (endpoint: string, now: Date) => Promise<string>

/**
 * Creates the function that signs for push services. `contact` is a `mailto:` or `https:` address. Throws if the keys
 * don't belong together.
 */
export async function createVapidSigner(
  { publicKey, privateKey }: VapidKeys,
  contact: string,
): Promise<SignVapid> {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(Buffer.from(privateKey, 'base64url'))
  if (pair.getPublicKey('base64url') !== publicKey)
    throw new Error('WEB_PUSH_PUBLIC_KEY and WEB_PUSH_PRIVATE_KEY are not of one pair')
  const point = pair.getPublicKey()
  const key = await importJWK(
    {
      ...{ kty: 'EC', crv: 'P-256', d: privateKey },
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
    'ES256',
  )
  const signed = new Map<string, { readonly token: string; readonly expires: number }>()
  return async (endpoint, now) => {
    const { origin } = new URL(endpoint)
    const seconds = Math.floor(now.getTime() / 1_000)
    let known = signed.get(origin)
    if (!known || known.expires - seconds < RENEWED_BEFORE_SECONDS) {
      const expires = seconds + VALID_SECONDS
      const token = await new SignJWT({ sub: contact })
        .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
        .setAudience(origin)
        .setExpirationTime(expires)
        .sign(key)
      known = { token, expires }
      if (signed.size >= MAX_ORIGINS) signed.clear()
      signed.set(origin, known)
    }
    return `vapid t=${known.token}, k=${publicKey}`
  }
}
