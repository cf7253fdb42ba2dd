import type { internal, Joining, UserProjection } from '@tms/contracts'
import { type InternalHandler, inTransaction, type Publish, type Tx } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { keepUsers } from '../directory/keep-users.ts'
import { markReceived } from '../directory/projection.queries.ts'
import { onboardUser } from './receive-newcomer.ts'

/** Users waits for the answer, and for no longer than a little more. */
const UNTIL_PUBLISHED_MS = 1_500

/** Receives a newcomer unless that was done: users calls as the account is created, and publishes the event as well. */
export async function onboardOnce(
  tx: Tx,
  newcomer: UserProjection,
  joined: Joining | undefined,
  options: { publish: Publish<'messaging'>; now: Date; requestId: string | null },
): Promise<void> {
  await keepUsers(tx, [newcomer])
  if (newcomer.is_bot || !(await markReceived(tx, newcomer.user_id))) return
  await onboardUser(tx, newcomer, joined, options)
}

/** Subscribes and welcomes a new user before the request that created the account is answered. */
export const handleOnboardUser: InternalHandler<typeof internal.messaging.onboardUser, Context> = async (
  { projection, joined },
  { db, publish, relay, guestVisibility, now },
  requestId,
) => {
  await inTransaction(db, (tx) => onboardOnce(tx, projection, joined, { publish, now: now(), requestId }))
  relay.wake()
  await guestVisibility.waitUntilAllPublished(UNTIL_PUBLISHED_MS)
  return {}
}
