import { Role } from '@tms/contracts'
import type { Cause, Tx } from '@tms/service-kit'
import {
  isRestrictionPublished,
  listGuests,
  lockGuestVisibility,
  queueChange,
} from '../kernel/guest-visibility/guest-visibility.queries.ts'
import { listVisibleUsers } from '../kernel/guest-visibility/sharing.queries.ts'
import { replacementsOf } from '../kernel/guest-visibility/visibility-changes.rules.ts'
import { lockAllChannels } from '../kernel/locks/channel-visibility-lock.queries.ts'
import { lockPendingPolicy, savePublishedPolicy } from './policy.queries.ts'

/**
 * Queues a change of whether an organization restricts guest visibility, if that is pending. If the restriction
 * begins, first queues the visible users of each guest. Nobody joins or leaves a channel, or starts a conversation,
 * meanwhile. Call it last in a transaction.
 */
export async function queueGuestPolicyChange(
  tx: Tx,
  realmId: number,
  requestId: string | null,
): Promise<void> {
  const isRestricted = await lockPendingPolicy(tx, realmId)
  if (isRestricted === null) return
  const cause = { realmId, requestId }
  await lockAllChannels(tx, realmId)
  await lockGuestVisibility(tx, realmId)
  await savePublishedPolicy(tx, realmId, isRestricted)
  if (isRestricted)
    for (const guestId of await listGuests(tx, realmId)) await queueReplacement(tx, guestId, cause)
  await queueChange(tx, { kind: 'policy', is_limited: isRestricted }, cause)
}

/** Queues the visible users of a new guest, if visibility is restricted. Needs `lockAllChannels`. */
export async function queueVisibilityOfNewGuest(
  tx: Tx,
  userId: number,
  role: number,
  cause: Cause,
): Promise<void> {
  if (role !== Role.guest || !(await isRestrictionPublished(tx, cause.realmId))) return
  await lockGuestVisibility(tx, cause.realmId)
  await queueReplacement(tx, userId, cause)
}

async function queueReplacement(tx: Tx, guestId: number, cause: Cause): Promise<void> {
  const visible = await listVisibleUsers(tx, [guestId])
  for (const change of replacementsOf(guestId, visible.get(guestId) ?? []))
    await queueChange(tx, change, cause)
}
