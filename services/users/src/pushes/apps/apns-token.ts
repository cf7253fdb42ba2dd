import { importPKCS8, SignJWT } from 'jose'

/** Apple refuses tokens that are older than an hour, and those that change within 20 minutes. */
const RENEWED_AFTER_MS = 40 * 60_000

/** The credentials of an installation's own app. */
export interface ApnsKey {
  /** PEM. */
  readonly key: string
  readonly keyId: string
  readonly teamId: string
}

/** Signs for Apple's service. Throws if the key is none. */
export async function createApnsToken(
  { key, keyId, teamId }: ApnsKey,
  now: () => Date,
): Promise<() => Promise<string>> {
  const signer = await importPKCS8(key.replaceAll('\\n', '\n'), 'ES256').catch((err: unknown) => {
    throw new Error('APNS_KEY is not the PEM of a key of P-256', { cause: err })
  })
  let current: { readonly token: string; readonly renewAt: number } | null = null
  return async () => {
    const nowMs = now().getTime()
    if (!current || current.renewAt <= nowMs) {
      const token = await new SignJWT()
        .setProtectedHeader({ alg: 'ES256', kid: keyId })
        .setIssuer(teamId)
        .setIssuedAt(Math.floor(nowMs / 1_000))
        .sign(signer)
      current = { token, renewAt: nowMs + RENEWED_AFTER_MS }
    }
    return current.token
  }
}
