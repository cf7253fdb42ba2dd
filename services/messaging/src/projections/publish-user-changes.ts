import type { Publish, Tx } from '@tms/service-kit'
import { applyOwnerChange, lockForOwnerChange } from '../bots/apply-owner-change.ts'
import { publishMembershipChanges } from './publish-membership-changes.ts'

/**
 * Applies and publishes what follows from the pending changes of a user: role, activity, and of a bot its owner. Call
 * it in its own transaction, or last.
 */
export async function publishUserChanges(
  tx: Tx,
  publish: Publish<'messaging'>,
  userId: number,
  requestId: string | null,
): Promise<void> {
  // Its locks include those of the changes of role and activity, which come next.
  const ownerChange = await lockForOwnerChange(tx, userId)
  // A reactivated bot must be a subscriber before it leaves channels.
  await publishMembershipChanges(tx, publish, userId, requestId)
  if (ownerChange) await applyOwnerChange(tx, publish, ownerChange, requestId)
}
