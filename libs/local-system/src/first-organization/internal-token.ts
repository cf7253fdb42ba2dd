import { sign } from 'node:crypto'

const LIFETIME_SECONDS = 60

/** A token (JWT, ES256) that internal endpoints accept, for a minute. */
export function createInternalToken(privateKeyPem: string, nowMs: number): string {
  const now = Math.floor(nowMs / 1000)
  const claims = { iss: 'local-system', aud: 'internal', iat: now, exp: now + LIFETIME_SECONDS }
  const signed = `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode(claims)}`
  // JWT needs the two numbers of the signature side by side; OpenSSL's default wraps them in DER.
  const signature = sign('sha256', Buffer.from(signed), { key: privateKeyPem, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
