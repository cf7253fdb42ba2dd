import type { GuestVisibilityChange, internal } from '@tms/contracts'
import type { InternalHandler, Tx } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { isGuestVisibilityRestricted } from '../kernel/guest-visibility/visible-users.queries.ts'
import { changeGuestRestriction } from './change-guest-restriction.ts'
import {
  claimVisibilityChange,
  deleteVisibility,
  insertVisibility,
  listVisibleUserIds,
  lockUsers,
  type VisibilityRow,
} from './guest-visibility.queries.ts'
import { publishGuestVisibility } from './publish-guest-visibility.ts'

/** Applies a change of visibility from messaging, once, and publishes it to the guests. */
export const handleUpdateGuestVisibility: InternalHandler<
  typeof internal.users.updateGuestVisibility,
  Context
> = async ({ realm_id: realmId, number, request_id: requestId, change }, { transact }) => {
  await transact(async (tx) => {
    if (!(await claimVisibilityChange(tx, realmId, number))) return
    const cause = { realmId, requestId }
    if (change.kind === 'policy') await changeGuestRestriction(tx, change.is_limited, cause)
    else await changeGuestVisibility(tx, change, cause)
  })
  return {}
}

interface Changed {
  readonly gained: VisibilityRow[]
  readonly lost: VisibilityRow[]
}

async function changeGuestVisibility(
  tx: PrismaTx,
  change: Exclude<GuestVisibilityChange, { kind: 'policy' }>,
  cause: { realmId: number; requestId: string | null },
): Promise<void> {
  const { realmId } = cause
  const guestIds = change.kind === 'gained' ? change.guest_ids : [change.guest_id]
  const visibleBefore = change.kind === 'whole' ? await listVisibleUserIds(tx, change.guest_id) : []
  const accounts = await lockUsers(tx, realmId, [...guestIds, ...change.user_ids, ...visibleBefore])
  const changed = await applyChange(tx, change, {
    userIds: new Set(accounts.map(({ id }) => id)),
    visibleBefore,
  })
  // Before the restriction begins, changes are stored but not published: clients register anew when it begins.
  if (!(await isGuestVisibilityRestricted(tx, realmId))) return
  const roles = new Map(accounts.map(({ id, role }) => [id, role]))
  await publishGuestVisibility(tx, changed, { ...cause, roleOf: (id) => roles.get(id) })
}

async function applyChange(
  tx: Tx,
  change: Exclude<GuestVisibilityChange, { kind: 'policy' }>,
  known: { readonly userIds: ReadonlySet<number>; readonly visibleBefore: readonly number[] },
): Promise<Changed> {
  const only = (ids: readonly number[]) => ids.filter((id) => known.userIds.has(id))
  const userIds = only(change.user_ids)
  switch (change.kind) {
    case 'gained':
      return { gained: await insertVisibility(tx, only(change.guest_ids), userIds), lost: [] }
    case 'lost':
      return { gained: [], lost: await deleteVisibility(tx, change.guest_id, change.user_ids) }
    case 'whole': {
      const remaining = new Set(userIds)
      const lostIds = known.visibleBefore.filter((id) => !remaining.has(id))
      return {
        gained: await insertVisibility(tx, only([change.guest_id]), userIds),
        lost: await deleteVisibility(tx, change.guest_id, lostIds),
      }
    }
  }
}
