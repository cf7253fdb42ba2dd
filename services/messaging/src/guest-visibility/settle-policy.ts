import { Role } from '@tms/contracts'
import type { Cause, Tx } from '@tms/service-kit'
import { lockSight } from '../directory/standing.queries.ts'
import {
  isGuestVisibilityRestricted,
  listGuests,
  lockGuestVisibility,
  queueChange,
} from './guest-sight.queries.ts'
import { wholeOf } from './parts.rules.ts'
import { lockPendingPolicy, savePublishedPolicy } from './policy.queries.ts'
import { listSharers } from './sharing.queries.ts'

/**
 * Tells whether an organization limits what its guests see, if that is still to be told; where it begins to, first whom
 * each of them sees. Nobody joins or leaves a channel, or begins a conversation, meanwhile. Do it last in a transaction.
 */
export async function settlePolicy(tx: Tx, realmId: number, requestId: string | null): Promise<void> {
  const isLimited = await lockPendingPolicy(tx, realmId)
  if (isLimited === null) return
  const cause = { realmId, requestId }
  await lockSight(tx, realmId)
  await lockGuestVisibility(tx, realmId)
  await savePublishedPolicy(tx, realmId, isLimited)
  if (isLimited) for (const guestId of await listGuests(tx, realmId)) await queueWhole(tx, guestId, cause)
  await queueChange(tx, { kind: 'policy', is_limited: isLimited }, cause)
}

/** Tells whom someone sees who has become a guest, where that is limited. Needs `lockSight`. */
export async function settleNewGuest(tx: Tx, userId: number, role: number, cause: Cause): Promise<void> {
  if (role !== Role.guest || !(await isGuestVisibilityRestricted(tx, cause.realmId))) return
  await lockGuestVisibility(tx, cause.realmId)
  await queueWhole(tx, userId, cause)
}

async function queueWhole(tx: Tx, guestId: number, cause: Cause): Promise<void> {
  const sharers = await listSharers(tx, [guestId])
  for (const change of wholeOf(guestId, sharers.get(guestId) ?? [])) await queueChange(tx, change, cause)
}
