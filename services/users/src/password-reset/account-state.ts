import { createHash } from 'node:crypto'

/** Identifies the password and address at the time of the request. A change of either voids the reset. */
export function accountStateOf({
  passwordHash,
  deliveryEmail,
}: {
  readonly passwordHash: string | null
  readonly deliveryEmail: string
}): Uint8Array<ArrayBuffer> {
  const state = JSON.stringify([passwordHash, deliveryEmail])
  return new Uint8Array(createHash('sha256').update(state).digest())
}
