import { domainEvents, Role } from '@tms/contracts'
import type { Cause, Tx } from '@tms/service-kit'
import type { Account } from '../accounts/account.queries.ts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { publish } from '../publish.ts'
import { isGuestVisibilityRestricted } from './visible-users.queries.ts'

/** Users in one event. */
const MAX_USERS = 1_000

/** Publishes that these users become restricted or unrestricted. */
export async function publishGuestRestriction(
  tx: Tx,
  userIds: readonly number[],
  cause: Cause,
): Promise<void> {
  for (let at = 0; at < userIds.length; at += MAX_USERS) {
    const user_ids = userIds.slice(at, at + MAX_USERS)
    await publish(tx, domainEvents.users.guestRestrictionChanged, { user_ids }, cause)
  }
}

/** The same for a user whose role changes from or to guest, if guests are restricted. */
export async function publishRestrictionOfRole(
  tx: PrismaTx,
  before: Account,
  after: Account,
  requestId: string | null,
): Promise<void> {
  if ((before.role === Role.guest) === (after.role === Role.guest)) return
  if (!(await isGuestVisibilityRestricted(tx, after.realmId))) return
  await publishGuestRestriction(tx, [after.id], { realmId: after.realmId, requestId })
}
