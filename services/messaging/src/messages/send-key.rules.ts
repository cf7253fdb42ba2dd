import { createHash } from 'node:crypto'
import { badRequest } from '@tms/contracts'
import type { SendInput } from './outgoing.ts'
import type { SendKey } from './sent-keys.queries.ts'

/** Longer than any UUID or hash that clients make keys of. */
const MAX_KEY_LENGTH = 255

/** How long a key stands for a request, at least. */
export const KEY_LASTS_SECONDS = 24 * 3_600

/**
 * The key of an `Idempotency-Key` header, by which a second attempt of this send is known; null without the header.
 * Throws BAD_REQUEST for an invalid one. IDs for local echo are no keys: they are echoed uninspected, and some clients use
 * one for everything.
 */
export function sendKeyOf(header: string | undefined, input: SendInput): SendKey | null {
  if (header === undefined) return null
  if (header === '' || header.length > MAX_KEY_LENGTH || !/^[\x20-\x7e]+$/.test(header)) {
    throw badRequest(`Idempotency-Key must be 1 to ${MAX_KEY_LENGTH} printable ASCII characters`)
  }
  const { type, to, topic, content, widget_content: widget } = input
  const request = [type, to, topic ?? null, content, ...(widget === undefined ? [] : [widget])]
  return { key: digest(['key', header]), request: digest(request) }
}

/** Throws BAD_REQUEST when a key was used for another message. */
export function checkSameRequest(first: Pick<SendKey, 'request'>, now: Pick<SendKey, 'request'>): void {
  if (!first.request.equals(now.request)) {
    throw badRequest('This Idempotency-Key was used for another message')
  }
}

function digest(parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}
