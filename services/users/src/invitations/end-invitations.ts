import { asTx } from '@tms/service-kit'
import type { PrismaTx } from '../context.ts'
import { removeJobs } from '../jobs/jobs.ts'
import { announceInvitations } from './announce-invitations.ts'
import { deleteInvitations } from './invitation.queries.ts'
import { deleteLinks } from './invitation-link.queries.ts'
import { mailKeysOf } from './invitation-mailing.ts'

/**
 * Ends invitations: their keys stop working, and what wasn't mailed yet never is. Returns whose they were, so that
 * they can be told (`announceInvitations`).
 */
export async function endInvitations(
  tx: PrismaTx,
  which: Parameters<typeof deleteInvitations>[1],
): Promise<number[]> {
  const ended = await deleteInvitations(asTx(tx), which)
  await removeJobs(
    asTx(tx),
    ended.flatMap(({ id }) => mailKeysOf(id)),
  )
  return ended.map(({ creatorId }) => creatorId)
}

/** Ends everything that lets people in on behalf of someone who is out. */
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
