import { AppError } from '@tms/contracts'
import type { Registry } from 'prom-client'
import { Batched } from '../batched.ts'
import type { Logger } from '../log.ts'
import { startLoop } from '../loop.ts'
import { Histogram } from '../metrics.ts'
import type { Pool, Queryable } from '../postgres/pool.ts'
import {
  ACKNOWLEDGE_MS,
  type Acknowledgement,
  type LeaseStore,
  type Made,
  type Source,
} from './lease-store.ts'
import {
  deleteOldChanges,
  hasOwnChanges,
  hasPendingChanges,
  listPendingChanges,
  markAnnounced,
  type RecentChange,
} from './recent-changes.queries.ts'

/** An acknowledgement may be lost on its way: who is missing is looked up this often. */
const RECHECK_MS = 100
/** Changes in one announcement; more make a message that holds up everyone who parses it. */
const BATCH_SIZE = 500
/** A longer text isn't sent: whoever caches asks for the changes. */
const MAX_LENGTH = 256 * 1024
/** What a replica committed and died before it announced it; younger ones are being announced by whoever made them. */
const ORPHAN_MS = 200
const LOOK_MS = 400
/** A connection that was lost is mostly back by then. Locks are held meanwhile. */
const RECONNECT_MS = 1_000
/** Whoever was away for longer loads everything. */
const KEEP_SECONDS = 3_600
const CLEAN_MS = 60_000

/** Makes the changes of a service known to all replicas that cache them (decision 37). */
export interface ChangeAnnouncer {
  /**
   * Resolves once every change that was committed before the call is in force at every replica. Rejects with SERVICE_UNAVAILABLE
   * where that can't be known; it will be announced all the same.
   */
  announce(): Promise<void>
  /**
   * The last step of a transaction: whether it changed something that is to be announced. Rejects with SERVICE_UNAVAILABLE while
   * nothing can be announced: rolled back it can be tried again, where after its commit nobody could say when it holds.
   */
  checkChanges(tx: Queryable): Promise<boolean>
  stop(): Promise<void>
}

interface AnnouncerOptions {
  readonly source: Source
  readonly db: Pool
  readonly store: LeaseStore
  /** What is now of the subjects that changed, as announcements carry it. */
  readonly load: (changes: readonly RecentChange[]) => Promise<unknown>
  /** Called once events of announced changes may be published. */
  readonly onAnnounced: () => void
  readonly log: Logger
  readonly metrics: Registry
}

/** Announces what triggers write to `recent_changes`. `receive` is given what is published on the channel of acknowledgements. */
export function startChangeAnnouncer(
  options: AnnouncerOptions,
): ChangeAnnouncer & { receive(acknowledgement: Acknowledgement): void } {
  const { source, db, store, load, onAnnounced, log, metrics } = options
  const duration = new Histogram({
    name: 'change_announcement_seconds',
    help: 'How long it took, after a commit, until its changes were in force at every replica.',
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 2, 5],
    registers: [metrics],
  })
  const waits = new Set<(acknowledgement: Acknowledgement) => void>()

  /** Resolves once each of the replicas has acknowledged, or can't hold a lease from before any more. */
  const untilAcknowledged = ({ epoch, seq, replicaIds }: Made): Promise<void> => {
    const missing = new Set(replicaIds)
    if (missing.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const settle = () => {
        clearTimeout(timer)
        clearInterval(recheck)
        waits.delete(take)
        resolve()
      }
      const take = (acknowledgement: Acknowledgement) => {
        if (acknowledgement.epoch !== epoch || acknowledgement.source !== source) return
        if (acknowledgement.seq < seq) return
        missing.delete(acknowledgement.replicaId)
        if (missing.size === 0) settle()
      }
      const timer = setTimeout(() => {
        log.warn(
          { source, replicas: [...missing] },
          'replicas did not acknowledge a change; their leases ran out',
        )
        settle()
      }, ACKNOWLEDGE_MS)
      const recheck = setInterval(() => {
        store.listPending({ epoch, source, seq }).then(
          (pending) => {
            // Leases of an epoch that is over run out by themselves.
            if (pending === null) return
            const still = new Set(pending)
            for (const id of missing) if (!still.has(id)) missing.delete(id)
            if (missing.size === 0) settle()
          },
          () => {},
        )
      }, RECHECK_MS)
      waits.add(take)
    })
  }

  /** Announcements of this replica that aren't acknowledged yet, by the IDs of their changes. */
  const underWay = new Map<number, Promise<void>>()

  /** Resolves once an announcement is acknowledged and its events may be published. */
  const settle = async (ids: readonly number[], made: Made): Promise<void> => {
    const epochWait = Math.min(ACKNOWLEDGE_MS, ACKNOWLEDGE_MS - made.epochAgeMs)
    await Promise.all([
      untilAcknowledged(made),
      // Replicas whose leases were lost with the Redis before may still serve by them.
      epochWait > 0 && new Promise((resolve) => setTimeout(resolve, epochWait)),
    ])
    await markAnnounced(db, ids)
    onAnnounced()
  }

  /**
   * Announces what waits, and gives what is still to be acknowledged of that. One at a time, so that what is committed meanwhile goes
   * with the next; acknowledgements are waited for side by side.
   */
  const publishing = new Batched(async (): Promise<{ readonly acknowledged: Promise<unknown> }> => {
    const acknowledged: Promise<void>[] = []
    for (let isMore = true; isMore; ) {
      const pending = await listPendingChanges(db, { limit: BATCH_SIZE, except: [...underWay.keys()] })
      isMore = pending.ids.length === BATCH_SIZE
      if (pending.ids.length === 0) break
      const loaded = await load(pending.changes)
      const isShort = JSON.stringify(loaded).length <= MAX_LENGTH
      const made = await store.announce(source, pending.cursor, isShort ? loaded : null)
      const settled = settle(pending.ids, made).finally(() => {
        for (const id of pending.ids) underWay.delete(id)
      })
      // Those who wait for it below are told when it fails; there may be none.
      settled.catch(() => {})
      for (const id of pending.ids) underWay.set(id, settled)
      acknowledged.push(settled)
    }
    return { acknowledged: Promise.all([...new Set(underWay.values()), ...acknowledged]) }
  })

  const announcePending = async (): Promise<void> => {
    const end = duration.startTimer()
    try {
      const { acknowledged } = await publishing.run()
      await acknowledged
    } catch (cause) {
      throw new AppError('SERVICE_UNAVAILABLE', {
        message:
          'Whether every part of the system knows of the latest changes cannot be known at the moment; try again shortly',
        cause,
      })
    }
    end()
  }

  const look = startLoop({
    name: 'announcing of changes',
    log,
    round: async () => {
      if (await hasPendingChanges(db, ORPHAN_MS)) await announcePending()
      return LOOK_MS
    },
  })
  const cleaning = startLoop({
    name: 'deleting old changes',
    log,
    retryMs: CLEAN_MS,
    round: async () => {
      await deleteOldChanges(db, KEEP_SECONDS)
      return CLEAN_MS
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
        message: 'Nothing can be changed at the moment, since other parts of the system could not know of it',
      })
    },
    receive: (acknowledgement) => {
      for (const take of waits) take(acknowledgement)
    },
    stop: async () => {
      await Promise.all([look.stop(), cleaning.stop()])
      await publishing.idle()
      await Promise.allSettled(underWay.values())
    },
  }
}
