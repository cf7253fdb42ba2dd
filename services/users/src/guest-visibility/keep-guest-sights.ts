import type { GuestVisibilityChange, internal } from '@tms/contracts'
import { asTx, type InternalHandler, type Tx } from '@tms/service-kit'
import type { Context, PrismaTx } from '../context.ts'
import { changePolicy } from './change-policy.ts'
import {
  claimChange,
  deleteVisibility,
  insertVisibility,
  isGuestVisibilityRestricted,
  listSeenIds,
  lockPeople,
  type VisibilityRow,
} from './guest-sight.queries.ts'
import { publishGuestVisibility } from './tell-sights.ts'

/** Takes what messaging tells of whom guests see, each change once, and tells the guests. */
export const handleUpdateGuestVisibility: InternalHandler<
  typeof internal.users.updateGuestVisibility,
  Context
> = async ({ realm_id: realmId, number, request_id: requestId, change }, { transact }) => {
  await transact(async (tx) => {
    if (!(await claimChange(asTx(tx), realmId, number))) return
    const cause = { realmId, requestId }
    if (change.kind === 'policy') await changePolicy(tx, change.is_limited, cause)
    else await changeGuestVisibility(tx, change, cause)
  })
  return {}
}

interface Changed {
  readonly gained: VisibilityRow[]
  readonly lost: VisibilityRow[]
}

async function changeGuestVisibility(
  prismaTx: PrismaTx,
  change: Exclude<GuestVisibilityChange, { kind: 'policy' }>,
  cause: { realmId: number; requestId: string | null },
): Promise<void> {
  const tx = asTx(prismaTx)
  const { realmId } = cause
  const guestIds = change.kind === 'gained' ? change.guest_ids : [change.guest_id]
  const seenBefore = change.kind === 'whole' ? await listSeenIds(tx, change.guest_id) : []
  const people = await lockPeople(tx, realmId, [...guestIds, ...change.user_ids, ...seenBefore])
  const changed = await applyChange(tx, change, { people: new Set(people.map(({ id }) => id)), seenBefore })
  // Before it is limited all of it is kept, and nobody is told: their clients begin anew when it is.
  if (!(await isGuestVisibilityRestricted(tx, realmId))) return
  const roles = new Map(people.map(({ id, role }) => [id, role]))
  await publishGuestVisibility(tx, changed, { ...cause, roleOf: (id) => roles.get(id) })
}

async function applyChange(
  tx: Tx,
  change: Exclude<GuestVisibilityChange, { kind: 'policy' }>,
  known: { readonly people: ReadonlySet<number>; readonly seenBefore: readonly number[] },
): Promise<Changed> {
  const only = (ids: readonly number[]) => ids.filter((id) => known.people.has(id))
  const userIds = only(change.user_ids)
  switch (change.kind) {
    case 'gained':
      return { gained: await insertVisibility(tx, only(change.guest_ids), userIds), lost: [] }
    case 'lost':
      return { gained: [], lost: await deleteVisibility(tx, change.guest_id, change.user_ids) }
    case 'whole': {
      const kept = new Set(userIds)
      const goneIds = known.seenBefore.filter((id) => !kept.has(id))
      return {
        gained: await insertVisibility(tx, only([change.guest_id]), userIds),
        lost: await deleteVisibility(tx, change.guest_id, goneIds),
      }
    }
  }
}
