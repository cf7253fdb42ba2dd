import { internal } from '@tms/contracts'
import { type InternalClient, type Logger, type Pool, startLoop, transact } from '@tms/service-kit'
import type { GuestVisibilityPublisher } from '../kernel/guest-visibility/guest-visibility-publisher.ts'
import {
  claimPublishing,
  deletePublishedChanges,
  hasUnpublishedChanges,
  listNewestPending,
  listOldestPending,
  listPendingVisibilityChanges,
} from './pending-change.queries.ts'

const BATCH_SIZE = 20

/**
 * Delay of changes that follow from events of other services. Polling more often would only cost an idle installation.
 */
const PAUSE_MS = 250

/** Pause while another replica publishes and requests wait here: too long delays them, too short polls in vain. */
const CLAIM_PAUSE_MS = 10

/** A change may have as many as 20,000 pairs of users. */
const CALL_TIMEOUT_MS = 15_000

interface Waiter {
  readonly realmId: number
  readonly number: number
  readonly resolve: () => void
}

/**
 * Sends changes of guest visibility to users in the order in which they were made, and repeats each until users has
 * applied it; users recognizes repeats by their numbers. One replica sends at a time. Wake it after a commit that
 * queued a change.
 */
export function startGuestVisibilityPublisher(options: {
  db: Pool
  call: InternalClient
  log: Logger
}): GuestVisibilityPublisher {
  const { db, call, log } = options
  const waiters = new Set<Waiter>()
  /** Number of changes sent; null while another replica sends. */
  const publishBatch = () =>
    transact(db, async (tx) => {
      if (!(await claimPublishing(tx))) return null
      const changes = await listPendingVisibilityChanges(tx, BATCH_SIZE)
      for (const { realmId, number, requestId, change } of changes) {
        const body = { realm_id: realmId, number, request_id: requestId, change }
        await call(internal.users.updateGuestVisibility, body, { timeoutMs: CALL_TIMEOUT_MS })
      }
      await deletePublishedChanges(
        tx,
        changes.map(({ number }) => number),
      )
      return changes.length
    })
  /** Changes of an organization commit in the order of their numbers, so no lower number appears later. */
  const endWaiting = async (before: readonly Waiter[]) => {
    if (before.length === 0) return
    const oldest = await listOldestPending(db)
    for (const { realmId, number, resolve } of before) {
      if ((oldest.get(realmId) ?? Number.POSITIVE_INFINITY) > number) resolve()
    }
  }
  const loop = startLoop({
    name: 'guest visibility publisher',
    log,
    retryMs: 1_000,
    round: async () => {
      const before = [...waiters]
      if (!(await hasUnpublishedChanges(db))) {
        for (const { resolve } of before) resolve()
        return PAUSE_MS
      }
      const count = await publishBatch()
      await endWaiting(before)
      if (count === BATCH_SIZE) return 0
      return waiters.size > 0 ? CLAIM_PAUSE_MS : PAUSE_MS
    },
  })
  const waitUntilPublished: GuestVisibilityPublisher['waitUntilPublished'] = (
    { realmId, number },
    timeoutMs,
  ) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        waiters.delete(waiter)
        resolve()
      }
      const timer = setTimeout(end, timeoutMs)
      const waiter = { realmId, number, resolve: end }
      waiters.add(waiter)
      loop.wake()
    })
  return {
    ...loop,
    waitUntilPublished,
    waitUntilAllPublished: async (timeoutMs) => {
      const newest = await listNewestPending(db)
      await Promise.all(newest.map((change) => waitUntilPublished(change, timeoutMs)))
    },
  }
}
