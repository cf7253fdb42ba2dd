import { createHash, randomInt } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 24

/** A key for a link in a mail: 24 letters and digits, 142 bits of chance. */
export function createConfirmationKey(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** Whether the text has the form of such a key. */
export function isConfirmationKey(text: string): boolean {
  return /^[A-Za-z0-9]{24}$/.test(text)
}

/** What is kept of a key. It is too long to be guessed, so a fast hash is enough. */
export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
