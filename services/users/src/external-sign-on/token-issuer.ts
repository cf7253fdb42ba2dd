import { createHash } from 'node:crypto'
import {
  isSharedKey,
  type JwtIssuerSettings,
  type RealmProjection,
  type SignOnSettings,
} from '@tms/contracts'
import type { CryptoKey, JWTPayload } from 'jose'
import { isEmail } from '../kernel/addresses/email-address.rules.ts'
import { readSecret } from '../kernel/sign-on/read-secret.ts'
import type { NamedPerson } from './find-account.ts'

/** How far clocks may differ. */
const SKEW_SECONDS = 60
const MIN_SECRET_BYTES = 32
/** Tokens name a person, and nothing large. */
const MAX_TOKEN_LENGTH = 8_192

/** A token that is right. */
export interface VerifiedToken extends NamedPerson {
  /** The same for all copies of the token, and for no other. */
  readonly id: string
  /** How long a copy could still be used. */
  readonly seconds: number
}

/** The sites that sign users of an organization in, with their keys. */
export interface TokenIssuer {
  readonly settings: JwtIssuerSettings
  /** Throws an error that says what is wrong with the token. */
  verify(token: string, realm: Pick<RealmProjection, 'realm_id' | 'url'>, now: Date): Promise<VerifiedToken>
}

/** By the subdomains of organizations. Throws if a key can't be read, or isn't one for the algorithm. */
export async function openTokenIssuers({
  jwt,
}: Pick<SignOnSettings, 'jwt'>): Promise<ReadonlyMap<string, TokenIssuer>> {
  const issuers = new Map<string, TokenIssuer>()
  for (const [index, settings] of jwt.entries())
    issuers.set(settings.organization, await createTokenIssuer(settings, `jwt.${index}.key`))
  return issuers
}

export async function createTokenIssuer(settings: JwtIssuerSettings, name: string): Promise<TokenIssuer> {
  const { algorithm, issuer, audience, max_age_seconds: maxAge } = settings
  const key = await openKey(settings, name)
  // Few installations have one.
  const { jwtVerify } = await import('jose')
  return {
    settings,
    async verify(token, realm, now) {
      if (token.length > MAX_TOKEN_LENGTH) throw new Error('the token is too long')
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        clockTolerance: SKEW_SECONDS,
        currentDate: now,
        requiredClaims: ['exp', 'email'],
        ...(issuer !== undefined && { issuer }),
        ...(audience !== undefined && { audience }),
      })
      if (audience === undefined) checkAudience(payload, realm.url)
      const seconds = (payload.exp ?? 0) - now.getTime() / 1_000
      if (seconds > maxAge + SKEW_SECONDS) throw new Error(`the token may be used for ${seconds} s`)
      if (payload.iat !== undefined && payload.iat - now.getTime() / 1_000 > SKEW_SECONDS)
        throw new Error('the token is from the future')
      const { email, name: fullName } = payload
      if (typeof email !== 'string' || !isEmail(email)) throw new Error('the token has no e-mail address')
      return {
        email,
        fullName: typeof fullName === 'string' ? fullName : null,
        id: `${realm.realm_id} ${identify(payload, token)}`,
        // A copy counts until the tolerance is over.
        seconds: Math.ceil(Math.max(0, seconds)) + SKEW_SECONDS + 1,
      }
    },
  }
}

/** A token that names another audience isn't for us. */
function checkAudience({ aud }: JWTPayload, url: string): void {
  if (aud !== undefined && ![aud].flat().includes(url)) throw new Error('the token is for another audience')
}

/** Of what is signed, since the signature itself can be written in other ways. */
function identify({ jti }: JWTPayload, token: string): string {
  if (typeof jti === 'string' && jti !== '') return `jti ${jti}`
  const signed = token.slice(0, token.lastIndexOf('.'))
  return `hash ${createHash('sha256').update(signed).digest('base64url')}`
}

async function openKey({ algorithm, key }: JwtIssuerSettings, name: string): Promise<CryptoKey | Uint8Array> {
  const text = readSecret(key, name)
  const isPem = text.includes('-----BEGIN')
  if (isSharedKey(algorithm)) {
    // A public key as a secret would be one that everybody knows.
    if (isPem) throw new Error(`SIGN_ON: ${name} is a key of a pair, and ${algorithm} needs a shared secret`)
    const bytes = new TextEncoder().encode(text)
    if (bytes.length < MIN_SECRET_BYTES)
      throw new Error(`SIGN_ON: ${name} is shorter than ${MIN_SECRET_BYTES} bytes`)
    return bytes
  }
  const { importSPKI } = await import('jose')
  try {
    return await importSPKI(text, algorithm)
  } catch {
    throw new Error(`SIGN_ON: ${name} is no public key (PEM) for ${algorithm}`)
  }
}
