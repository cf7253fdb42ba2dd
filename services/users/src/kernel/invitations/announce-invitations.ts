import { domainEvents } from '@tms/contracts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { publish } from '../publish.ts'

/** Publishes that invitations changed, so that clients of administrators and of the creators fetch the list again. */
export async function announceInvitations(
  tx: PrismaTx,
  realmId: number,
  creatorIds: readonly number[],
  requestId: string | null,
): Promise<void> {
  if (creatorIds.length === 0) return
  const payload = { creator_ids: [...new Set(creatorIds)] }
  await publish(tx, domainEvents.users.invitationsChanged, payload, { realmId, requestId })
}
