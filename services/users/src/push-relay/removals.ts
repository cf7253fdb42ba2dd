import { type Logger, type Loop, startLoop } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { type PushRelay, PushRelayError } from '../kernel/pushes/push-relay.ts'
import { deleteRelayRemoval } from '../kernel/pushes/relayed-device.queries.ts'
import { retryDelayMs } from '../kernel/pushes/retry.rules.ts'
import { findRegisteredAgain, leaseRemovals, postponeRemoval, type RelayRemoval } from './removal.queries.ts'

/** Longer than a call takes. */
const LEASE_MS = 60_000
const PAUSE_MS = 5_000
/** Logging out wakes the loop, and what the service asks for may be a mistake. */
const MAX_PAUSE_MS = 300_000
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
      const [removal] = await leaseRemovals(db, { leaseMs: LEASE_MS, limit: 1 })
      return removal ? await remove(context, relay, removal, log) : PAUSE_MS
    },
  })
}

/** Removes a device. Returns how long the service isn't to be called: others would fail too. */
async function remove(
  { db }: Pick<Context, 'db'>,
  relay: PushRelay,
  removal: RelayRemoval,
  log: Logger,
): Promise<number> {
  try {
    // What is registered here is to be known there: that may have come before a removal, or after it.
    let again = await findRegisteredAgain(db, removal)
    if (again === null) {
      await relay.unregister(removal.accountId, removal).catch((err: unknown) => {
        if (!isUnknownDevice(err)) throw err
      })
      again = await findRegisteredAgain(db, removal)
    }
    if (again === 'pending') {
      await postponeRemoval(db, removal.id, retryDelayMs(removal.failures, null))
      return 0
    }
    if (again) {
      const owner = { realmId: again.realmId, userId: removal.accountId }
      await relay.register(owner, { ...removal, appId: again.appId })
    }
  } catch (err) {
    if (!(err instanceof PushRelayError)) throw err
    // Refusals too: with another key, or plan, it does what it is asked for.
    if (removal.days <= MAX_DAYS) {
      await postponeRemoval(db, removal.id, retryDelayMs(removal.failures, err.afterMs))
      return err.fault === 'refused' ? 0 : Math.min(MAX_PAUSE_MS, err.afterMs ?? PAUSE_MS)
    }
    log.warn({ reason: err.message }, 'the push relay service never removed a device')
  }
  await deleteRelayRemoval(db, removal.id)
  return 0
}

/** Whether the service says that there is no such device. */
const isUnknownDevice = (err: unknown): boolean =>
  err instanceof PushRelayError &&
  err.fault === 'refused' &&
  err.status === 400 &&
  [null, 'BAD_REQUEST', 'INVALID_REMOTE_PUSH_DEVICE_TOKEN'].includes(err.code)
