import { createHash, randomBytes } from 'node:crypto'

const BYTES = 24

/** A key for a link, which gives whoever has it what the link is for: 48 hexadecimal digits, 192 bits of chance. */
export function createLinkKey(): string {
  return randomBytes(BYTES).toString('hex')
}

/** Whether the text has the form of a key of a link. */
export function isLinkKey(text: string): boolean {
  return /^[0-9a-f]{48}$/.test(text)
}

/** What is kept of a key that only a mail has: whoever reads the database can't follow the link. */
export function hashLinkKey(key: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(key).digest())
}
