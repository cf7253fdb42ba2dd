import { Role } from '@tms/contracts'
import { asTx, type Cause } from '@tms/service-kit'
import { lockEmailVisibility } from '../accounts/email-visibility.queries.ts'
import type { PrismaTx } from '../context.ts'
import { deleteAllVisibility, listGuestIds, saveIsLimited } from './guest-sight.queries.ts'
import { publishGuestRestriction } from './tell-replaced.ts'

/**
 * Begins or ceases to limit what an organization's guests see. Their clients begin anew. No role changes meanwhile, so
 * each change of a role knows what it means for sight.
 */
export async function changePolicy(prismaTx: PrismaTx, isLimited: boolean, cause: Cause): Promise<void> {
  const tx = asTx(prismaTx)
  await lockEmailVisibility(prismaTx, cause.realmId)
  if (!(await saveIsLimited(tx, cause.realmId, isLimited))) return
  if (!isLimited) await deleteAllVisibility(tx, cause.realmId)
  await publishGuestRestriction(tx, await listGuestIds(tx, cause.realmId, Role.guest), cause)
}
