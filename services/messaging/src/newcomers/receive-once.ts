import type { internal, Joining, UserFacts } from '@tms/contracts'
import { type InternalHandler, inTransaction, type Publish, type Tx } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { keepUsers } from '../directory/keep-users.ts'
import { markReceived } from '../directory/projection.queries.ts'
import { receiveNewcomer } from './receive-newcomer.ts'

/** Users waits for the answer, and for no longer than a little more. */
const UNTIL_TOLD_MS = 1_500

/** Receives a newcomer unless that was done: users calls as the account is created, and publishes the event as well. */
export async function receiveOnce(
  tx: Tx,
  newcomer: UserFacts,
  joined: Joining | undefined,
  options: { publish: Publish<'messaging'>; now: Date; requestId: string | null },
): Promise<void> {
  await keepUsers(tx, [newcomer])
  if (newcomer.is_bot || !(await markReceived(tx, newcomer.user_id))) return
  await receiveNewcomer(tx, newcomer, joined, options)
}

/** Subscribes and welcomes a new user before the request that created the account is answered. */
export const handleReceiveNewcomer: InternalHandler<
  typeof internal.messaging.receiveNewcomer,
  Context
> = async ({ facts, joined }, { db, publish, relay, guestSights, now }, requestId) => {
  await inTransaction(db, (tx) => receiveOnce(tx, facts, joined, { publish, now: now(), requestId }))
  relay.wake()
  await guestSights.untilAllTold(UNTIL_TOLD_MS)
  return {}
}
