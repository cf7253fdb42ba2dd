import { timingSafeEqual } from 'node:crypto'
import { randomText } from './random-text.ts'

const LENGTH = 32

/** 32 letters and digits, 190 bits of randomness. */
export function createApiKey(): string {
  return randomText(LENGTH)
}

export function isApiKey(text: string): boolean {
  return /^[A-Za-z0-9]{32}$/.test(text)
}

/** Constant-time comparison. */
export function isSameApiKey(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
