import { type Logger, type Loop, startLoop, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findGranteesChange } from '../kernel/grantees/refresh-grantees.ts'
import { takeChannelVisibilityLock } from '../kernel/locks/channel-visibility-lock.queries.ts'
import { listChannelsOfFullMembers } from './group-access.queries.ts'
import { publishGrantees } from './publish-group-access.ts'

/** As users does with the members of that group. Looking costs a scan of the channels, of which an organization has thousands at most. */
const PAUSE_MS = 2_000

/**
 * Lets new full members see the private channels that their group may see, and former ones no longer, after a change of the
 * waiting period. Several replicas may run it at once.
 */
export function startFullMemberUpdates({ db, publish }: Pick<Context, 'db' | 'publish'>, log: Logger): Loop {
  return startLoop({
    name: 'channels of full members',
    log,
    retryMs: 10_000,
    round: async (signal) => {
      for (const channel of await listChannelsOfFullMembers(db)) {
        if (signal.aborted) break
        if (!(await findGranteesChange(db, channel))) continue
        await transact(db, async (tx) => {
          await takeChannelVisibilityLock(tx, channel.realmId)
          // Its permissions may have changed since.
          const current = await listChannelsOfFullMembers(tx, channel.id)
          await publishGrantees(tx, publish, current, { realmId: channel.realmId, requestId: null })
        })
      }
      return PAUSE_MS
    },
  })
}
