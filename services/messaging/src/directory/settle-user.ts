import type { Publish, Tx } from '@tms/service-kit'
import { lockForNewOwner, settleOwner } from '../bots/settle-owner.ts'
import { publishMembershipChanges } from './publish-membership-changes.ts'

/**
 * Does and publishes what follows from what is known of a user, as far as that is still to be done: from another role, from
 * being deactivated or back, and of a bot from another owner. In a transaction of its own, or last.
 */
export async function settleUser(
  tx: Tx,
  publish: Publish<'messaging'>,
  userId: number,
  requestId: string | null,
): Promise<void> {
  // Its locks come first.
  const ownerChange = await lockForNewOwner(tx, userId)
  // A bot that is back is among the subscribers before it leaves them.
  await publishMembershipChanges(tx, publish, userId, requestId)
  if (ownerChange) await settleOwner(tx, publish, ownerChange, requestId)
}
