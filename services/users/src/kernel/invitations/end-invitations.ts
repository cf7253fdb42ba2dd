import type { InvitationChange } from '@tms/contracts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { removeJobs } from '../jobs/jobs.ts'
import { announceInvitations } from './announce-invitations.ts'
import { deleteInvitations, deleteLinks } from './ended-invitation.queries.ts'
import { jobKeysOf } from './invitation-job-keys.ts'

/** Deletes invitations, their keys and pending mails. Returns them, for `announceInvitations`. */
export async function endInvitations(
  tx: PrismaTx,
  which: Parameters<typeof deleteInvitations>[1],
): Promise<{ id: number; creatorId: number }[]> {
  const ended = await deleteInvitations(tx, which)
  await removeJobs(
    tx,
    ended.flatMap(({ id }) => jobKeysOf(id)),
  )
  return ended
}

/** Deletes all invitations and links of a user. */
export async function endInvitationsOf(
  tx: PrismaTx,
  creator: { readonly id: number; readonly realmId: number },
  requestId: string | null,
): Promise<void> {
  const which = { creatorId: creator.id }
  const ended = await endInvitations(tx, which)
  const links = await deleteLinks(tx, which)
  const change = 'ended_with_creator'
  const changes: InvitationChange[] = [
    { change, type: 'invitation', ids: ended.map(({ id }) => id) },
    { change, type: 'invitation_link', ids: links },
  ]
  await announceInvitations(tx, creator.realmId, { creatorIds: [creator.id], changes }, requestId)
}
