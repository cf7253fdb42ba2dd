import { setTimeout } from 'node:timers/promises'
import { LEASE_MS } from '../outbox/relay.ts'
import { createPool } from '../postgres/pool.ts'
import { type Tx, transact } from '../postgres/transaction.ts'
import { createLog } from '../telemetry/log.ts'
import {
  beginStream,
  dropUnpublished,
  forgetChanges,
  isRelaying,
  keepUnpublished,
  skipIds,
} from './after-restore.queries.ts'
import type { OwnDatabase } from './own-database.ts'

/** More than were assigned since a backup, for sequences that are ahead of the clock. */
const SKIPPED_IDS = 1_000_000

/** What was done to a restored database. */
export interface AfterRestore {
  readonly unpublished: number
  readonly sequences: number
}

/**
 * Prepares a service's database that was restored from a backup to run beside servers and services that know of later
 * changes: its events begin a new stream, and its sequences continue above all assigned IDs. Changes everything or,
 * if it throws, nothing. Throws while a replica of the service runs.
 */
export async function goOnAfterRestore(
  { url, tls, silenceSeconds }: OwnDatabase,
  keepsUnpublished: boolean,
): Promise<AfterRestore> {
  const pool = createPool(url, 1, createLog('after-restore', 'silent'), tls, { silenceSeconds })
  try {
    return await transact(pool, async (tx) => {
      if (await isStillRunning(tx))
        throw new Error('A replica of the service still runs: stop all of them first')
      await beginStream(tx)
      await forgetChanges(tx)
      const unpublished = keepsUnpublished ? await keepUnpublished(tx) : await dropUnpublished(tx)
      const sequences = await skipIds(tx, SKIPPED_IDS)
      return { unpublished, sequences }
    })
  } finally {
    await pool.end()
  }
}

/** A running replica renews its lease; a recent backup may contain a lease that nobody renews. */
async function isStillRunning(tx: Tx): Promise<boolean> {
  if (!(await isRelaying(tx))) return false
  await setTimeout(LEASE_MS)
  return isRelaying(tx)
}
