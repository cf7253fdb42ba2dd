import { randomInt, timingSafeEqual } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 32

/** A new API key: 32 letters and digits, 190 bits of chance. */
export function createApiKey(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** Whether the text has the form of an API key. */
export function isApiKey(text: string): boolean {
  return /^[A-Za-z0-9]{32}$/.test(text)
}

/** Compares two API keys in a time that doesn't tell where they differ. */
export function isSameApiKey(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
