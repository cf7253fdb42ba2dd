import { createHmac } from 'node:crypto'

/** Bytes of a secret: as many as a signature has. */
export const SECRET_BYTES = 32

/** A secret as people enter it where signatures are checked, in the form of Standard Webhooks. */
export const formatSecret = (secret: Buffer): string => `whsec_${secret.toString('base64')}`

/**
 * The headers by which the server of a webhook sees who sent a call, and when: those of Standard Webhooks. `id` is the same for
 * each attempt, `now` isn't, so that a copy of the call can be refused later.
 */
export function signatureHeaders(signed: {
  readonly id: string
  readonly now: Date
  readonly body: string
  readonly secret: Buffer
}): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const { id, now, body, secret } = signed
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
