import { createHash, randomBytes } from 'node:crypto'

const BYTES = 32

/** 256 random bits, as 43 characters. */
export const createSecret = (): string => randomBytes(BYTES).toString('base64url')

/** Whether a text has the form of a secret. */
export const isSecret = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

/**
 * The stored form, so that a reader of Redis can't take over a session. The secret is too long to guess, so a fast
 * hash suffices.
 */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
