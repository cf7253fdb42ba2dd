import type { IncomingMessage } from 'node:http'
import type { AnyEndpoint } from '@tms/contracts'
import { carriesBody } from './forwarded-headers.rules.ts'

/** Larger bodies would delay other requests, and aren't worth the memory: those of messages have less. */
const MAX_LINKED_BODY_BYTES = 64 * 1024

/**
 * Whether a request may go over a link: it and its answer are short texts. Of events only polls and streams come often, which have
 * links of their own, and the answer of register is a stream.
 */
export function fitsLink(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  { owner, answer, body, isLongPoll }: Pick<AnyEndpoint, 'owner' | 'answer' | 'body' | 'isLongPoll'>,
): boolean {
  if (owner === 'events' || answer !== 'envelope' || body !== 'fields' || isLongPoll) return false
  // The length of its answer isn't that of a body.
  if (method === 'HEAD') return false
  if (!carriesBody({ method })) return true
  if (headers['transfer-encoding'] !== undefined) return false
  if (Number(headers['content-length'] ?? 0) > MAX_LINKED_BODY_BYTES) return false
  // Its parser reads a stream.
  return !(headers['content-type'] ?? '').trimStart().toLowerCase().startsWith('multipart/')
}
