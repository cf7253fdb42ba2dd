import { type Logger, type Loop, startLoop } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { type PushRelay, PushRelayError } from '../kernel/pushes/push-relay.ts'
import { retryDelayMs } from '../kernel/pushes/retry.rules.ts'
import {
  deleteRemoval,
  findRegisteredAgain,
  leaseRemovals,
  postponeRemoval,
  type RelayRemoval,
} from './removal.queries.ts'

/** Longer than a call takes. */
const LEASE_MS = 60_000
const OF_ROUND = 2
const PAUSE_MS = 5_000
/** Then the service has forgotten the installation, or never will answer. */
const MAX_DAYS = 30

/**
 * Tells the push relay service which devices are gone: it sends to all that it knows of a user, also after a log-out.
 * The table is filled by a trigger, so no way of losing a device is left out.
 */
export function startRelayRemovals(context: Context, relay: PushRelay, log: Logger): Loop {
  const { db } = context
  return startLoop({
    name: 'removals at the push relay service',
    log,
    round: async () => {
      const removals = await leaseRemovals(db, { leaseMs: LEASE_MS, limit: OF_ROUND })
      for (const removal of removals) await remove(context, relay, removal, log)
      return removals.length === 0 ? PAUSE_MS : 0
    },
  })
}

async function remove(
  { db }: Pick<Context, 'db'>,
  relay: PushRelay,
  removal: RelayRemoval,
  log: Logger,
): Promise<void> {
  try {
    await relay.unregister(removal.accountId, removal)
    // It was registered again while it was removed: what came last holds.
    const again = await findRegisteredAgain(db, removal)
    if (again) {
      const owner = { realmId: again.realmId, userId: removal.accountId }
      await relay.register(owner, { ...removal, appId: again.appId })
    }
  } catch (err) {
    if (!(err instanceof PushRelayError)) throw err
    const isOver = removal.days > MAX_DAYS
    // It doesn't know the device, or the installation.
    if (err.fault !== 'refused' && !isOver) {
      await postponeRemoval(db, removal.id, retryDelayMs(removal.failures, err.afterMs))
      return
    }
    log.info({ reason: err.message }, 'the push relay service removes no such device')
  }
  await deleteRemoval(db, removal.id)
}
