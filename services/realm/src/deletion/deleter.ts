import { Counter, Gauge, type Logger, type Loop, type Registry, startLoop } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import {
  type ClaimedDeletion,
  claimDeletion,
  findDeletionLag,
  renewDeletion,
} from '../kernel/realms/realm-deletion.queries.ts'
import { deleteOrganization, LEASE_SECONDS } from './delete-organization.ts'

/** How late a deletion begins, and a replica notices one that another had to leave. */
const IDLE_MS = 5_000
const RETRY_SECONDS = 10

interface DeleterOptions {
  readonly context: Context
  readonly log: Logger
  readonly metrics: Registry
}

/** Deletes organizations whose time has come, one at a time: new ones, and those that other replicas have left. */
export function startDeleter({ context, log, metrics }: DeleterOptions): Loop {
  const finished = new Counter({
    name: 'organizations_deleted_total',
    help: 'Organizations that were deleted with all of their data.',
    registers: [metrics],
  })
  new Gauge({
    name: 'organization_deletion_lag_seconds',
    help: 'How long the most overdue deletion of an organization has been due, while it runs too; 0 if none is.',
    registers: [metrics],
    async collect() {
      // If the database is down, this gauge is NaN and all others still report.
      this.set(await findDeletionLag(context.db).catch(() => Number.NaN))
    },
  })
  return startLoop({
    name: 'organization deletion',
    log,
    round: async (signal) => {
      const claimed = await claimDeletion(context.db, LEASE_SECONDS)
      if (!claimed) return IDLE_MS
      if (await runClaimed(context, log, claimed, signal)) finished.inc()
      return 0
    },
  })
}

/** Whether the deletion was finished. */
async function runClaimed(
  context: Context,
  log: Logger,
  claimed: ClaimedDeletion,
  stop: AbortSignal,
): Promise<boolean> {
  log.info({ ...claimed }, 'organization deletion begun')
  try {
    const deleted = await deleteOrganization(context, claimed, stop)
    log.info({ ...claimed, deleted }, 'organization deleted')
    return true
  } catch (err) {
    const seconds = stop.aborted ? 0 : RETRY_SECONDS
    // If the lease can't be returned, it expires.
    await renewDeletion(context.db, claimed, 0, seconds).catch(() => {})
    if (!stop.aborted) log.warn({ err, ...claimed }, 'organization deletion interrupted, will be continued')
    return false
  }
}
