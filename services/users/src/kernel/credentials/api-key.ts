import { hash, timingSafeEqual } from 'node:crypto'
import { randomText } from './random-text.ts'

const LENGTH = 32
const KEY_ID_LENGTH = 16

/** 32 letters and digits, 190 bits of randomness. */
export function createApiKey(): string {
  return randomText(LENGTH)
}

export function isApiKey(text: string): boolean {
  return /^[A-Za-z0-9]{32}$/.test(text)
}

/** Tells a key from those before it. A key is too long to be guessed by it. */
export function keyIdOf(apiKey: string): string {
  return hash('sha256', `key-id:${apiKey}`, 'base64url').slice(0, KEY_ID_LENGTH)
}

/** Constant-time comparison. */
export function isSameApiKey(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
