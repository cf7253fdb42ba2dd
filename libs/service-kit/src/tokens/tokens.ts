import { createPrivateKey, hash, type KeyObject } from 'node:crypto'
import { AppError } from '@tms/contracts'
import jwt from 'jsonwebtoken'
import { LRUCache } from 'lru-cache'
import { readPublicKeys } from './keys.ts'

/** The user on whose behalf a request runs, as the gateway authenticated it. */
export interface Caller {
  readonly userId: number
  readonly realmId: number
  readonly role: number
  readonly isBot: boolean
  /** Of a request with an API key: which, among those that the account has had. */
  readonly keyId?: string
  /** Of a request with an API token instead of the API key: the token's. */
  readonly tokenId?: number
  /** The only channels that such a token reaches; missing if it isn't limited to channels. */
  readonly channelIds?: readonly number[]
}

/** A caller whose API token is limited to channels. */
export type LimitedCaller = Caller & Required<Pick<Caller, 'channelIds'>>

export const isLimited = (caller: Caller): caller is LimitedCaller => caller.channelIds !== undefined

/** Somebody without an account who reads an organization's web-public channels, if it allows that. */
export interface Spectator {
  readonly userId: null
  readonly realmId: number
}

/** The system that manages an organization's accounts. */
export interface Provisioner {
  readonly userId: null
  readonly realmId: number
  readonly isProvisioner: true
}

/** On whose behalf a request runs; null for callers without credentials. */
export type TokenHolder = Caller | Spectator | Provisioner | null

/** Long enough that signing is rare, short enough that a leaked token is of little use. */
const USER_TOKEN_SECONDS = 900
const INTERNAL_TOKEN_SECONDS = 300
const USER_AUDIENCE = 'service'
/** Of requests with API tokens, and with those limited to channels: a service that knows nothing of limits accepts none. */
const LIMITED_AUDIENCE = 'service-limited'
const CHANNELS_AUDIENCE = 'service-channels'
const INTERNAL_AUDIENCE = 'internal'
const REUSE_BEFORE_EXPIRY_MS = 60_000

/** Signs the tokens that identify the caller to services. Only the gateway has the key. */
export function createUserTokenSigner(privateKey: string): (caller: TokenHolder) => string {
  // Parsed once: parsing the text for every signature costs more than signing.
  const key = createPrivateKey(privateKey)
  return (caller) =>
    jwt.sign(claimsOf(caller), key, {
      algorithm: 'ES256',
      audience: audienceFor(caller),
      issuer: 'gateway',
      expiresIn: USER_TOKEN_SECONDS,
      ...(caller === null || caller.userId === null ? {} : { subject: String(caller.userId) }),
    })
}

function audienceFor(caller: TokenHolder): string {
  if (caller === null || caller.userId === null || caller.tokenId === undefined) return USER_AUDIENCE
  return caller.channelIds === undefined ? LIMITED_AUDIENCE : CHANNELS_AUDIENCE
}

function claimsOf(caller: TokenHolder): object {
  if (caller === null) return { anonymous: true }
  if (isProvisioner(caller)) return { provisioner: true, realm: caller.realmId }
  if (caller.userId === null) return { spectator: true, realm: caller.realmId }
  const { realmId: realm, role, isBot, keyId, tokenId, channelIds } = caller
  return {
    realm,
    role,
    ...(isBot ? { bot: true } : {}),
    ...(keyId === undefined ? {} : { key: keyId }),
    ...(tokenId === undefined ? {} : { token: tokenId }),
    ...(channelIds === undefined ? {} : { channels: channelIds }),
  }
}

export const isProvisioner = (caller: TokenHolder): caller is Provisioner =>
  caller !== null && 'isProvisioner' in caller

function callerOf(claims: jwt.JwtPayload): TokenHolder {
  if (claims.sub === undefined && claims['provisioner'] === true)
    return { userId: null, realmId: Number(claims['realm']), isProvisioner: true }
  if (claims.sub === undefined)
    return claims['spectator'] === true ? { userId: null, realmId: Number(claims['realm']) } : null
  return {
    userId: Number(claims.sub),
    realmId: Number(claims['realm']),
    role: Number(claims['role']),
    isBot: claims['bot'] === true,
    ...(claims['key'] === undefined ? {} : { keyId: String(claims['key']) }),
    ...(claims['token'] === undefined ? {} : { tokenId: Number(claims['token']) }),
    ...(claims.aud === CHANNELS_AUDIENCE ? { channelIds: channelIdsIn(claims['channels']) } : {}),
  }
}

/** Anything but a list limits to nothing. */
const channelIdsIn = (claim: unknown): number[] => (Array.isArray(claim) ? claim.map(Number) : [])

/** How long a signed user token may be reused. */
export const userTokenReuseMs = USER_TOKEN_SECONDS * 1000 - REUSE_BEFORE_EXPIRY_MS

/** Throws UNAUTHORIZED. */
export type UserTokenVerifier = (token: string) => TokenHolder

/**
 * Verifies the gateway's tokens; the result is cached until the token expires, since verifying an ES256 signature
 * costs more than the rest of a request's routing. Any of the keys may match.
 */
export function createUserTokenVerifier(publicKeys: string): UserTokenVerifier {
  const keys = readPublicKeys(publicKeys)
  const known = new LRUCache<string, { caller: TokenHolder }>({ max: 50_000 })
  return (token) => {
    // A token takes 320 bytes, and those of requests keep the header that they are cut out of besides.
    const key = hash('sha256', token, 'base64')
    const hit = known.get(key)
    if (hit) return hit.caller
    const claims = verify(token, keys, [USER_AUDIENCE, LIMITED_AUDIENCE, CHANNELS_AUDIENCE])
    const caller = callerOf(claims)
    known.set(key, { caller }, { ttl: Math.max(1, (claims.exp ?? 0) * 1000 - Date.now()) })
    return caller
  }
}

/** Signs tokens for calls between services; one is reused until a minute before it expires. */
export function createInternalTokenSource(issuer: string, privateKey: string): () => string {
  const key = createPrivateKey(privateKey)
  let token = ''
  let renewAt = 0
  return () => {
    if (Date.now() >= renewAt) {
      token = jwt.sign({}, key, {
        algorithm: 'ES256',
        audience: INTERNAL_AUDIENCE,
        issuer,
        expiresIn: INTERNAL_TOKEN_SECONDS,
      })
      renewAt = Date.now() + INTERNAL_TOKEN_SECONDS * 1000 - REUSE_BEFORE_EXPIRY_MS
    }
    return token
  }
}

/**
 * Verifies a token of a call between services, and returns its issuer; any of the keys may match. Throws UNAUTHORIZED.
 */
export function createInternalTokenVerifier(publicKeys: string): (token: string) => string {
  const keys = readPublicKeys(publicKeys)
  const known = new LRUCache<string, { issuer: string }>({ max: 1_000 })
  return (token) => {
    const hit = known.get(token)
    if (hit) return hit.issuer
    const claims = verify(token, keys, [INTERNAL_AUDIENCE])
    const issuer = claims.iss ?? ''
    known.set(token, { issuer }, { ttl: Math.max(1, (claims.exp ?? 0) * 1000 - Date.now()) })
    return issuer
  }
}

function verify(token: string, keys: readonly KeyObject[], audience: [string, ...string[]]): jwt.JwtPayload {
  let cause: unknown
  for (const key of keys) {
    try {
      const claims = jwt.verify(token, key, { algorithms: ['ES256'], audience })
      if (typeof claims === 'string') throw new Error('token carries no claims')
      return claims
    } catch (err) {
      cause = err
    }
  }
  throw new AppError('UNAUTHORIZED', { cause })
}
