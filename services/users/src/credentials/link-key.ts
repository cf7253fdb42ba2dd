import { createHash, randomInt } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 24

/** A key for a link, which gives whoever has it what the link is for: 24 letters and digits, 142 bits of chance. */
export function createLinkKey(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** Whether the text has the form of a key of a link. */
export function isLinkKey(text: string): boolean {
  return /^[A-Za-z0-9]{24}$/.test(text)
}

/**
 * What is kept of a key that only a mail has: whoever reads the database can't follow the link. It is too long to be
 * guessed, so a fast hash is enough.
 */
export function hashLinkKey(key: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(key).digest())
}
