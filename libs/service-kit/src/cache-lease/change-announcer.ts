import { AppError } from '@tms/contracts'
import type { Registry } from 'prom-client'
import { Batched } from '../concurrency/batched.ts'
import { startLoop } from '../lifecycle/loop.ts'
import type { Pool } from '../postgres/pool.ts'
import type { Queryable } from '../postgres/transaction.ts'
import type { Logger } from '../telemetry/log.ts'
import { Histogram } from '../telemetry/metrics.ts'
import {
  ACKNOWLEDGE_MS,
  type Acknowledgement,
  type AnnouncementResult,
  type LeaseStore,
  type Source,
} from './lease-store.ts'
import {
  deleteOldChanges,
  hasOwnChanges,
  hasPendingChanges,
  keepFirstEpoch,
  listPendingChanges,
  markAnnounced,
  type RecentChange,
} from './recent-changes.queries.ts'

/** An acknowledgement may be lost on its way, so the missing ones are looked up this often. */
const RECHECK_MS = 100
/** Changes per announcement; more make a message that blocks every replica while it is parsed. */
const BATCH_SIZE = 500
/** A longer payload isn't sent: the caching services query the changes instead. */
const MAX_LENGTH = 256 * 1024
/**
 * Age at which another replica takes over changes whose replica committed them and died; younger ones are still being
 * announced by their replica.
 */
const ORPHAN_MS = 200
const ORPHAN_CHECK_MS = 400
/** A lost connection is usually back by then. Locks are held meanwhile. */
const RECONNECT_MS = 1_000
/** A replica that was away for longer loads everything. */
const RETENTION_SECONDS = 3_600
const CLEANUP_MS = 60_000

/** Announces the changes of a service to all replicas that cache them (decision 37). */
export interface ChangeAnnouncer {
  /**
   * Resolves once every change committed before the call is visible at every replica. Rejects with
   * SERVICE_UNAVAILABLE if that can't be determined; the changes will be announced all the same.
   */
  announce(): Promise<void>
  /**
   * The last step of a transaction: returns whether it changed something that must be announced. Rejects with
   * SERVICE_UNAVAILABLE while announcing is impossible: a transaction that is rolled back can be tried again, but
   * after a commit nobody could say when the change becomes visible.
   */
  checkChanges(tx: Queryable): Promise<boolean>
  stop(): Promise<void>
}

interface AnnouncerOptions {
  readonly source: Source
  readonly db: Pool
  readonly store: LeaseStore
  /** Loads the current values of the changed subjects, for the announcement. */
  readonly load: (changes: readonly RecentChange[]) => Promise<unknown>
  readonly log: Logger
  readonly metrics: Registry
}

/**
 * Announces what triggers write to `recent_changes`. `receive` takes the messages of the acknowledgements channel. Others must not
 * load data of this service before it resolves: it stores the epoch in which they could do so for the first time.
 */
export async function startChangeAnnouncer(
  options: AnnouncerOptions,
): Promise<ChangeAnnouncer & { receive(acknowledgement: Acknowledgement): void }> {
  const { source, db, store, load, log, metrics } = options
  const duration = new Histogram({
    name: 'change_announcement_seconds',
    help: 'Time from a commit until its changes were visible at every replica.',
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 2, 5],
    registers: [metrics],
  })
  const epochAtStart = await store.epoch().catch(() => '')
  let firstEpoch = await keepFirstEpoch(db, epochAtStart).catch((err: unknown) => {
    log.warn({ err }, 'the first epoch of leases could not be stored; changes may wait for 2 s')
    return null
  })
  const listeners = new Set<(acknowledgement: Acknowledgement) => void>()

  /** Resolves once each replica has acknowledged, or can't hold a lease from before any more. */
  const untilAcknowledged = ({ epoch, seq, replicaIds }: AnnouncementResult): Promise<void> => {
    const missing = new Set(replicaIds)
    if (missing.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const settle = () => {
        clearTimeout(timer)
        clearInterval(recheck)
        listeners.delete(listener)
        resolve()
      }
      const listener = (acknowledgement: Acknowledgement) => {
        if (acknowledgement.epoch !== epoch || acknowledgement.source !== source) return
        if (acknowledgement.seq < seq) return
        missing.delete(acknowledgement.replicaId)
        if (missing.size === 0) settle()
      }
      const timer = setTimeout(() => {
        log.warn(
          { source, replicas: [...missing] },
          'replicas did not acknowledge a change; their leases expired',
        )
        settle()
      }, ACKNOWLEDGE_MS)
      const recheck = setInterval(() => {
        store.listPending({ epoch, source, seq }).then(
          (pending) => {
            // Leases of an ended epoch expire by themselves.
            if (pending === null) return
            const unacknowledged = new Set(pending)
            for (const id of missing) if (!unacknowledged.has(id)) missing.delete(id)
            if (missing.size === 0) settle()
          },
          () => {},
        )
      }, RECHECK_MS)
      listeners.add(listener)
    })
  }

  /** Announcements of this replica that aren't acknowledged yet, by the IDs of their changes. */
  const underWay = new Map<number, Promise<void>>()

  /** Resolves once an announcement is acknowledged and its events may be published. */
  const settle = async (ids: readonly number[], result: AnnouncementResult): Promise<void> => {
    const isFirst = result.epoch === firstEpoch
    const epochWait = isFirst ? 0 : Math.min(ACKNOWLEDGE_MS, ACKNOWLEDGE_MS - result.epochAgeMs)
    await Promise.all([
      untilAcknowledged(result),
      // Replicas whose leases were lost with the previous Redis may still serve from their caches.
      epochWait > 0 && new Promise((resolve) => setTimeout(resolve, epochWait)),
    ])
    await markAnnounced(db, ids)
    // The relay skips the events of changes until they are announced.
    db.markPublished?.()
  }

  /**
   * Announces pending changes, and returns a promise for the outstanding acknowledgements. One batch at a time, so
   * that changes committed meanwhile go with the next; acknowledgements are awaited concurrently.
   */
  const announcing = new Batched(async (): Promise<{ readonly acknowledged: Promise<unknown> }> => {
    const acknowledged: Promise<void>[] = []
    for (let isMore = true; isMore; ) {
      const pending = await listPendingChanges(db, { limit: BATCH_SIZE, except: [...underWay.keys()] })
      isMore = pending.ids.length === BATCH_SIZE
      if (pending.ids.length === 0) break
      const loaded = await load(pending.changes)
      const isShort = JSON.stringify(loaded).length <= MAX_LENGTH
      const result = await store.announce(source, pending.cursor, isShort ? loaded : null)
      const settled = settle(pending.ids, result).finally(() => {
        for (const id of pending.ids) underWay.delete(id)
      })
      // Callers that wait for it below get its rejection; there may be none.
      settled.catch(() => {})
      for (const id of pending.ids) underWay.set(id, settled)
      acknowledged.push(settled)
    }
    return { acknowledged: Promise.all([...new Set(underWay.values()), ...acknowledged]) }
  })

  const announcePending = async (): Promise<void> => {
    const end = duration.startTimer()
    try {
      const { acknowledged } = await announcing.run()
      await acknowledged
    } catch (cause) {
      throw new AppError('SERVICE_UNAVAILABLE', {
        message:
          'It cannot be confirmed at the moment that all parts of the system have the latest changes; try again shortly',
        cause,
      })
    }
    end()
  }

  const orphanLoop = startLoop({
    name: 'change announcer',
    log,
    round: async () => {
      // By now others may have loaded data in an earlier epoch.
      firstEpoch ??= await keepFirstEpoch(db, '')
      if (await hasPendingChanges(db, ORPHAN_MS)) await announcePending()
      return ORPHAN_CHECK_MS
    },
  })
  const cleanupLoop = startLoop({
    name: 'change cleanup',
    log,
    retryMs: CLEANUP_MS,
    round: async () => {
      await deleteOldChanges(db, RETENTION_SECONDS)
      return CLEANUP_MS
    },
  })

  return {
    announce: async () => {
      if (await hasPendingChanges(db)) await announcePending()
    },
    checkChanges: async (tx) => {
      if (!(await hasOwnChanges(tx))) return false
      if (await store.isConnectedWithin(RECONNECT_MS)) return true
      throw new AppError('SERVICE_UNAVAILABLE', {
        message:
          'Nothing can be changed at the moment, since other parts of the system cannot be reached; try again shortly',
      })
    },
    receive: (acknowledgement) => {
      for (const listener of listeners) listener(acknowledgement)
    },
    stop: async () => {
      await Promise.all([orphanLoop.stop(), cleanupLoop.stop()])
      await announcing.idle()
      await Promise.allSettled(underWay.values())
    },
  }
}
