import { Role } from '@tms/contracts'
import type { Cause } from '@tms/service-kit'
import { lockAdministration } from '../kernel/administration/administration-lock.queries.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { publishGuestRestriction } from '../kernel/guest-visibility/publish-guest-restriction.ts'
import { deleteAllVisibility, listGuestIds, saveGuestRestriction } from './guest-visibility.queries.ts'

/**
 * Starts or stops restricting what an organization's guests see; their clients register anew. Locks
 * administration, so that no role changes meanwhile.
 */
export async function changeGuestRestriction(tx: PrismaTx, isLimited: boolean, cause: Cause): Promise<void> {
  await lockAdministration(tx, cause.realmId)
  if (!(await saveGuestRestriction(tx, cause.realmId, isLimited))) return
  if (!isLimited) await deleteAllVisibility(tx, cause.realmId)
  await publishGuestRestriction(tx, await listGuestIds(tx, cause.realmId, Role.guest), cause)
}
