import { Role } from '@tms/contracts'
import type { Account } from '../accounts/account.queries.ts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { endInvitationsOf } from '../invitations/end-invitations.ts'
import { removeClientDevices } from '../pushes/publish-client-devices.ts'
import {
  closeEmailChanges,
  deleteApiTokens,
  deletePasswordResets,
  deletePushDevices,
  deleteReplyAddresses,
} from './ended-rights.queries.ts'

/** Ends what must not survive a loss of rights, and must not return when the rights do. */
export async function endRights(
  tx: PrismaTx,
  before: Account,
  after: Account,
  requestId: string | null,
): Promise<void> {
  const isDeactivated = before.isActive && !after.isActive
  const becomesGuest = before.role <= Role.member && after.role > Role.member
  // Invitations of deactivated users and guests must not let anyone in.
  if (isDeactivated || becomesGuest) await endInvitationsOf(tx, after, requestId)
  // Those who read mails to the former address must not write in the user's name.
  if (isDeactivated || before.deliveryEmail !== after.deliveryEmail) await deleteReplyAddresses(tx, after.id)
  if (!isDeactivated) return
  await deletePasswordResets(tx, after.id)
  await closeEmailChanges(tx, after.id)
  await deletePushDevices(tx, after.id)
  await removeClientDevices(tx, after, requestId)
  await deleteApiTokens(tx, after.id)
}
