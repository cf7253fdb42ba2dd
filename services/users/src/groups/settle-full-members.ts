import { domainEvents, systemGroupIds } from '@tms/contracts'
import { asTx, type Logger, type Loop, publisherOf, startLoop, type Tx } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { endWaiting, resumeWaiting, type Settled } from './waiting-member.queries.ts'

const publish = publisherOf('users')
const FULL_MEMBERS = systemGroupIds['role:fullmembers']

/** How late the group of full members may be; too small asks the database for nothing. */
const EVERY_MS = 2_000
/** There is more than one transaction takes. */
const AT_ONCE_MS = 0

/**
 * Keeps the group of full members as time passes and as waiting periods change, and tells everyone. What policies
 * allow doesn't wait for this: they look at the time. Every replica looks; each change is made by one.
 */
export function startSettlingFullMembers({ transact }: Pick<Context, 'transact'>, log: Logger): Loop {
  return startLoop({
    name: 'settling full members',
    log,
    retryMs: EVERY_MS,
    round: async () => {
      let settled = 0
      for (const whom of ['free', 'next'] as const) {
        settled += await settle(transact, 'removed', (tx) => resumeWaiting(tx, whom))
        settled += await settle(transact, 'added', (tx) => endWaiting(tx, whom))
        if (settled > 0) return AT_ONCE_MS
      }
      return EVERY_MS
    },
  })
}

/** Moves those who are due, tells of them, and says how many they were. */
async function settle(
  transact: Context['transact'],
  change: 'added' | 'removed',
  find: (tx: Tx) => Promise<Settled[]>,
): Promise<number> {
  return transact(async (client) => {
    const tx = asTx(client)
    const settled = await find(tx)
    for (const [realmId, user_ids] of byRealm(settled)) {
      const moved = { removed: [], added: [], [change]: [{ group_id: FULL_MEMBERS, user_ids }] }
      await publish(tx, domainEvents.users.systemGroupMembersChanged, moved, { realmId, requestId: null })
    }
    return settled.length
  })
}

function byRealm(settled: readonly Settled[]): Map<number, number[]> {
  const realms = new Map<number, number[]>()
  for (const { realmId, userId } of settled) realms.set(realmId, [...(realms.get(realmId) ?? []), userId])
  for (const ids of realms.values()) ids.sort((a, b) => a - b)
  return realms
}
