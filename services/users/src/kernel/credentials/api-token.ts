import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { API_TOKEN_PREFIX } from '@tms/contracts'
import { randomText } from './random-text.ts'

/** 43 letters and digits have 256 bits of randomness. */
const RANDOM_LENGTH = 43
const CHECKSUM_LENGTH = 6
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new API token: the prefix, random letters and digits, and their checksum. */
export function createApiToken(): string {
  const random = randomText(RANDOM_LENGTH)
  return API_TOKEN_PREFIX + random + checksumOf(random)
}

/** Whether a text has the form of a token, with the right checksum: others need no lookup. */
export function isApiToken(text: string): boolean {
  const [, random = '', checksum] = /^tms_([A-Za-z0-9]{43})([A-Za-z0-9]{6})$/.exec(text) ?? []
  return checksum !== undefined && checksum === checksumOf(random)
}

/** The stored form. A token is too long to guess, so a fast hash suffices. */
export function hashApiToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest())
}

/**
 * The stored form of a token that is limited to channels: another one, so that a release that knows nothing of such limits
 * doesn't find it, rather than taking it for one that reaches everything.
 */
export function hashLimitedApiToken(token: string): Uint8Array<ArrayBuffer> {
  return hashApiToken(`channels:${token}`)
}

/** CRC-32 in base 62. */
function checksumOf(random: string): string {
  let rest = crc32(random)
  let checksum = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    checksum = DIGITS.charAt(rest % DIGITS.length) + checksum
    rest = Math.floor(rest / DIGITS.length)
  }
  return checksum
}
