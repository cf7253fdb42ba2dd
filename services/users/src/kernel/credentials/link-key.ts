import { createHash } from 'node:crypto'
import { randomText } from './random-text.ts'

const LENGTH = 24

/** A key that authorizes the action of a link: 24 letters and digits, 142 bits of randomness. */
export function createLinkKey(): string {
  return randomText(LENGTH)
}

export function isLinkKey(text: string): boolean {
  return /^[A-Za-z0-9]{24}$/.test(text)
}

/**
 * The stored form of a mailed key, so that a reader of the database can't follow the link. The key is too long to
 * guess, so a fast hash suffices.
 */
export function hashLinkKey(key: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(key).digest())
}
