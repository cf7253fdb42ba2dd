import { createHash } from 'node:crypto'

/** What a reset is for: the account with the password and the address that it had. Another of either voids it. */
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
