import { createHash } from 'node:crypto'
import { badRequest } from '@tms/contracts'
import type { SendInput } from './outgoing.ts'
import type { SendKey } from './sent-keys.queries.ts'

/** Longer than any UUID or hash that clients make keys of. */
const MAX_KEY_LENGTH = 255

/** How long a key stands for a request. */
export const KEY_LASTS_SECONDS = 24 * 3_600
/** The same of an ID for local echo: as long as a client tries again by itself, and no person says the same again. */
const ECHO_LASTS_SECONDS = 120

/**
 * By what a second attempt of this send is known: the `Idempotency-Key` header, else the queue and the ID for
 * local echo; null without both. Throws BAD_REQUEST for a key that is none.
 *
 * A header names one request: with another message it is a mistake, and is told. An ID for local echo is only
 * promised to be returned, and some clients use one for everything, so with another message, or later, it is another send.
 */
export function sendKeyOf(header: string | undefined, input: SendInput): SendKey | null {
  const { type, to, topic, content, queue_id, local_id } = input
  const isEcho = queue_id !== undefined && local_id !== undefined
  if (header === undefined && !isEcho) return null
  const request = digest([type, to, topic ?? null, content])
  if (header !== undefined) {
    if (header === '' || header.length > MAX_KEY_LENGTH || !/^[\x20-\x7e]+$/.test(header)) {
      throw badRequest(`Idempotency-Key must be 1 to ${MAX_KEY_LENGTH} printable ASCII characters`)
    }
    return { key: digest(['key', header]), request, lastsSeconds: KEY_LASTS_SECONDS }
  }
  const key = digest(['echo', queue_id, local_id, request.toString('base64')])
  return { key, request, lastsSeconds: ECHO_LASTS_SECONDS }
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
