import { domainEvents, type InvitationChange } from '@tms/contracts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { publish } from '../publish.ts'

/** Which invitations changed, and whose they are. */
export interface ChangedInvitations {
  readonly creatorIds: readonly number[]
  readonly changes: readonly InvitationChange[]
  /** False: only the audit log is to know. */
  readonly isAnnounced?: boolean
}

/**
 * Publishes that invitations changed, so that clients of administrators and of the creators fetch the list again. Does nothing if
 * none did.
 */
export async function announceInvitations(
  tx: PrismaTx,
  realmId: number,
  { creatorIds, changes, isAnnounced = true }: ChangedInvitations,
  requestId: string | null,
): Promise<void> {
  const changed = changes.filter(({ ids }) => ids.length > 0)
  if (changed.length === 0) return
  const payload = { creator_ids: [...new Set(creatorIds)], changes: changed, is_announced: isAnnounced }
  await publish(tx, domainEvents.users.invitationsChanged, payload, { realmId, requestId })
}
