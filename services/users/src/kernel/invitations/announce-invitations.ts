import { domainEvents } from '@tms/contracts'
import { publisherOf } from '@tms/service-kit'
import type { PrismaTx } from '../database/prisma-tx.ts'

const publish = publisherOf('users')

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
