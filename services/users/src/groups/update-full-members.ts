import { domainEvents, systemGroupIds } from '@tms/contracts'
import { type Logger, type Loop, startLoop, type Tx } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import {
  endWaitingPeriods,
  hasMembersToMove,
  type MovedMember,
  restartWaitingPeriods,
} from './moved-member.queries.ts'

const FULL_MEMBERS = systemGroupIds['role:fullmembers']

/** Maximum delay of the group of full members; smaller queries the database for nothing. */
const EVERY_MS = 2_000
/** A batch was full, so there may be more. */
const IMMEDIATELY_MS = 0

/**
 * Updates the group of full members when a waiting period ends or is changed, and publishes that. Policies don't
 * depend on it: they compare times. Every replica looks; one makes each change.
 */
export function startFullMemberUpdates(
  { db, transact }: Pick<Context, 'db' | 'transact'>,
  log: Logger,
): Loop {
  return startLoop({
    name: 'full member updates',
    log,
    retryMs: EVERY_MS,
    round: async () => {
      if (!(await hasMembersToMove(db))) return EVERY_MS
      let moved = 0
      for (const lockMode of ['skip-locked', 'wait-for-next'] as const) {
        moved += await moveMembers(transact, 'removed', (tx) => restartWaitingPeriods(tx, lockMode))
        moved += await moveMembers(transact, 'added', (tx) => endWaitingPeriods(tx, lockMode))
        if (moved > 0) return IMMEDIATELY_MS
      }
      return EVERY_MS
    },
  })
}

/** Moves and publishes the members that are due; returns how many. */
async function moveMembers(
  transact: Context['transact'],
  change: 'added' | 'removed',
  find: (tx: Tx) => Promise<MovedMember[]>,
): Promise<number> {
  return transact(async (tx) => {
    const moved = await find(tx)
    for (const [realmId, user_ids] of byRealm(moved.filter(({ isActive }) => isActive))) {
      const payload = { removed: [], added: [], [change]: [{ group_id: FULL_MEMBERS, user_ids }] }
      await publish(tx, domainEvents.users.systemGroupMembersChanged, payload, { realmId, requestId: null })
    }
    return moved.length
  })
}

function byRealm(moved: readonly MovedMember[]): Map<number, number[]> {
  const realms = new Map<number, number[]>()
  for (const { realmId, userId } of moved) realms.set(realmId, [...(realms.get(realmId) ?? []), userId])
  for (const ids of realms.values()) ids.sort((a, b) => a - b)
  return realms
}
