import { type Logger, type Loop, type Pool, startLoop, transact } from '@tms/service-kit'
import { deleteExpiredEntries } from './expired-entry.queries.ts'

/** Retention is in days. A change of the setting doesn't wait for this. */
const PAUSE_MS = 3_600_000

interface AuditRetentionOptions {
  readonly db: Pool
  /** The installation keeps entries for so long whatever an organization chose. */
  readonly minDays: number
  readonly log: Logger
}

/**
 * Deletes entries of audit logs that are older than their organization keeps them, up to a thousand in a transaction, at one replica at
 * a time. The database refuses to delete others.
 */
export function startAuditRetention({ db, minDays, log }: AuditRetentionOptions): Loop {
  return startLoop({
    name: 'audit log retention',
    log,
    retryMs: 60_000,
    round: async (signal) => {
      while (!signal.aborted) {
        const deleted = await transact(db, (tx) => deleteExpiredEntries(tx, minDays))
        if (!deleted) return PAUSE_MS
        log.info({ ...deleted }, 'expired entries of the audit log deleted')
      }
      return PAUSE_MS
    },
  })
}
