import type { PrismaTx } from '../database/prisma-tx.ts'
import { removeJobs } from '../jobs/jobs.ts'
import { announceInvitations } from './announce-invitations.ts'
import { deleteInvitations, deleteLinks } from './ended-invitation.queries.ts'
import { jobKeysOf } from './invitation-job-keys.ts'

/** Deletes invitations, their keys and pending mails. Returns their creators, for `announceInvitations`. */
export async function endInvitations(
  tx: PrismaTx,
  which: Parameters<typeof deleteInvitations>[1],
): Promise<number[]> {
  const ended = await deleteInvitations(tx, which)
  await removeJobs(
    tx,
    ended.flatMap(({ id }) => jobKeysOf(id)),
  )
  return ended.map(({ creatorId }) => creatorId)
}

/** Deletes all invitations and links of a user. */
export async function endInvitationsOf(
  tx: PrismaTx,
  creator: { readonly id: number; readonly realmId: number },
  requestId: string | null,
): Promise<void> {
  const which = { creatorId: creator.id }
  const creatorIds = await endInvitations(tx, which)
  const links = await deleteLinks(tx, which)
  const isChanged = creatorIds.length + links > 0
  await announceInvitations(tx, creator.realmId, isChanged ? [creator.id] : [], requestId)
}
