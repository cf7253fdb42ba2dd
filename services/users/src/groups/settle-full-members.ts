import { domainEvents, systemGroupIds } from '@tms/contracts'
import { asTx, type Logger, type Loop, publisherOf, startLoop } from '@tms/service-kit'
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
      const changed = await transact(async (client) => {
        const tx = asTx(client)
        const [joined, left] = [byRealm(await endWaiting(tx)), byRealm(await resumeWaiting(tx))]
        for (const realmId of new Set([...joined.keys(), ...left.keys()])) {
          const change = { removed: membersOf(left.get(realmId)), added: membersOf(joined.get(realmId)) }
          const cause = { realmId, requestId: null }
          await publish(tx, domainEvents.users.systemGroupMembersChanged, change, cause)
        }
        return joined.size + left.size
      })
      return changed > 0 ? AT_ONCE_MS : EVERY_MS
    },
  })
}

function byRealm(settled: readonly Settled[]): Map<number, number[]> {
  const realms = new Map<number, number[]>()
  for (const { realmId, userId } of settled) realms.set(realmId, [...(realms.get(realmId) ?? []), userId])
  return realms
}

const membersOf = (userIds: number[] | undefined) =>
  userIds ? [{ group_id: FULL_MEMBERS, user_ids: userIds.sort((a, b) => a - b) }] : []
