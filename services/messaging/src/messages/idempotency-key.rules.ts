import { createHash } from 'node:crypto'
import { badRequest } from '@tms/contracts'
import type { IdempotencyKey } from './idempotency-key.queries.ts'
import type { SendInput } from './send-request.ts'

/** Longer than any UUID or hash that clients use as a key. */
const MAX_KEY_LENGTH = 255

/** Minimum time for which a key identifies a request. */
export const KEY_LIFETIME_SECONDS = 24 * 3_600

/**
 * Parses the `Idempotency-Key` header, by which a second attempt of a send is recognized; null without the header.
 * Throws BAD_REQUEST for an invalid key. The IDs for local echo are no keys: they are returned unchecked, and some
 * clients always send the same one.
 */
export function parseIdempotencyKey(header: string | undefined, input: SendInput): IdempotencyKey | null {
  if (header === undefined) return null
  if (header === '' || header.length > MAX_KEY_LENGTH || !/^[\x20-\x7e]+$/.test(header)) {
    throw badRequest(`Idempotency-Key must be 1 to ${MAX_KEY_LENGTH} printable ASCII characters`)
  }
  const { type, to, topic, content, widget_content: widget } = input
  const request = [type, to, topic ?? null, content, ...(widget === undefined ? [] : [widget])]
  return { key: digest(['key', header]), request: digest(request) }
}

/** Throws BAD_REQUEST if the key was used for another message. */
export function checkSameRequest(
  first: Pick<IdempotencyKey, 'request'>,
  second: Pick<IdempotencyKey, 'request'>,
): void {
  if (!first.request.equals(second.request)) {
    throw badRequest('This Idempotency-Key was used for another message')
  }
}

function digest(parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}
