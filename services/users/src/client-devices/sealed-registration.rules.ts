import { badRequest, limits, type PushRegistrationError } from '@tms/contracts'
import { z } from 'zod'
import type { PushKey, SealedToken } from '../kernel/pushes/client-device.queries.ts'
import { openSealedBox, type SealKeys } from '../kernel/pushes/seal.ts'
import { TOKEN_ID_BYTES, tokenIdsOf } from '../kernel/pushes/token-id.rules.ts'

/** What a key begins with: its kind, and the only one there is. */
const SECRETBOX_KEY = 0x31
const KEY_BYTES = 32
/** A registration that was sealed earlier may have been stolen since. */
const MAX_AGE_SECONDS = 86_400
/** Clocks of devices may be fast. */
const MAX_AHEAD_SECONDS = 3_600

const sealedRegistration = z.object({
  token: z.string().min(1).max(limits.maxPushTokenLength),
  token_kind: z.enum(['fcm', 'apns']),
  timestamp: z.number(),
  ios_app_id: z
    .string()
    .regex(/^[\w.-]+$/)
    .max(limits.maxPushAppIdLength)
    .nullish(),
})

/** The token part of a request to register a client. */
export interface TokenPart {
  readonly tokenKind: 'fcm' | 'apns'
  /** In base64. */
  readonly tokenId: string
  readonly publicKey: Buffer
  readonly sealed: Buffer
}

interface Input {
  readonly push_key_id?: number | undefined
  readonly push_key?: string | undefined
  readonly token_kind?: 'fcm' | 'apns' | undefined
  readonly token_id?: string | undefined
  readonly bouncer_public_key?: string | undefined
  readonly encrypted_push_registration?: string | undefined
}

/** The key of a request; null if it has none. Throws BAD_REQUEST. */
export function readKeyPart({ push_key_id: id, push_key: text }: Input): PushKey | null {
  if (id === undefined && text === undefined) return null
  if (id === undefined || text === undefined) throw badRequest('push_key_id and push_key belong together')
  const bytes = decode(text, 'push_key')
  if (bytes.length !== 1 + KEY_BYTES || bytes[0] !== SECRETBOX_KEY)
    throw badRequest(`push_key must be the byte 0x31 and ${KEY_BYTES} bytes, in base64`)
  return { id, key: bytes.subarray(1).toString('base64') }
}

/** The token of a request; null if it has none. Throws BAD_REQUEST. */
export function readTokenPart({
  token_kind: tokenKind,
  token_id: tokenId,
  bouncer_public_key: publicKey,
  encrypted_push_registration: sealed,
}: Input): TokenPart | null {
  const parts = [tokenKind, tokenId, publicKey, sealed]
  if (parts.every((part) => part === undefined)) return null
  if (tokenKind === undefined || tokenId === undefined || publicKey === undefined || sealed === undefined)
    throw badRequest(
      'token_kind, token_id, bouncer_public_key and encrypted_push_registration belong together',
    )
  if (decode(tokenId, 'token_id').length !== TOKEN_ID_BYTES)
    throw badRequest(`token_id must be ${TOKEN_ID_BYTES} bytes in base64`)
  return {
    ...{ tokenKind, tokenId, publicKey: decode(publicKey, 'bouncer_public_key') },
    sealed: decode(sealed, 'encrypted_push_registration'),
  }
}

/** The token that a client sealed, or why it is not accepted. */
export function openRegistration(
  { tokenKind, tokenId, publicKey, sealed }: TokenPart,
  pairs: readonly SealKeys[],
  now: Date,
): SealedToken | PushRegistrationError {
  const keys = pairs.find((pair) => publicKey.equals(pair.publicKey))
  if (!keys) return 'INVALID_BOUNCER_PUBLIC_KEY'
  const registration = parse(openSealedBox(sealed, keys))
  if (registration === null) return 'INVALID_ENCRYPTED_PUSH_REGISTRATION'
  const { token, token_kind, timestamp, ios_app_id: appId = null } = registration
  if (token_kind !== tokenKind || !tokenIdsOf(token, tokenKind).includes(tokenId))
    return 'INVALID_ENCRYPTED_PUSH_REGISTRATION'
  const age = now.getTime() / 1_000 - timestamp
  if (age > MAX_AGE_SECONDS || age < -MAX_AHEAD_SECONDS) return 'REQUEST_EXPIRED'
  return { service: `sealed_${tokenKind}`, token, tokenId, appId: tokenKind === 'apns' ? appId : null }
}

function parse(opened: Buffer | null): z.output<typeof sealedRegistration> | null {
  if (opened === null) return null
  try {
    return sealedRegistration.parse(JSON.parse(opened.toString()))
  } catch {
    return null
  }
}

/** Throws BAD_REQUEST if the text isn't base64. */
function decode(text: string, name: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (text === '' || bytes.toString('base64') !== text) throw badRequest(`${name} is not base64`)
  return bytes
}
