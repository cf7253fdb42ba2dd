import type { Queryable } from '@tms/service-kit'

/** Longer than mail servers try to deliver, and than an address for replies is valid. */
const KEPT = `interval '60 days'`

/** Keeps the key of a send that has just been stored for longer than other keys. */
export async function keepIdempotencyKey(tx: Queryable, userId: number, key: Buffer): Promise<void> {
  await tx.query({
    name: 'keep-idempotency-key',
    text: `update idempotency_keys set sent_at = now() + ${KEPT} where user_id = $1 and key = $2`,
    values: [userId, key],
  })
}
