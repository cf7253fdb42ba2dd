import { createHash } from 'node:crypto'
import type { RelayedService } from './push-relay.ts'

export const TOKEN_ID_BYTES = 8

/** What a client may call a token, in base64. Those of Apple are bytes, which clients write as text. */
export function tokenIdsOf(token: string, service: RelayedService): string[] {
  const written = [Buffer.from(token)]
  if (service === 'apns') written.push(Buffer.from(token, 'base64'), Buffer.from(token, 'hex'))
  return written.map((bytes) =>
    createHash('sha256').update(bytes).digest().subarray(0, TOKEN_ID_BYTES).toString('base64'),
  )
}
