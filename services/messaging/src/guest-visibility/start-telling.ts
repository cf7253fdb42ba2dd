import { internal } from '@tms/contracts'
import {
  type InternalClient,
  inTransaction,
  type Logger,
  type Loop,
  type Pool,
  startLoop,
} from '@tms/service-kit'
import {
  claimTelling,
  deletePublishedChanges,
  hasUnpublishedChanges,
  listNewestPending,
  listOldestPending,
  listPendingVisibilityChanges,
} from './untold.queries.ts'

const BATCH_SIZE = 20
/** What events of other services cause waits this long; asking more often costs an idle installation for nothing. */
const PAUSE_MS = 250
/** While another replica tells, and requests wait here: too large keeps them waiting, too small asks for nothing. */
const CLAIM_PAUSE_MS = 10
/** A change may concern as many as 20,000 pairs of people. */
const CALL_TIMEOUT_MS = 15_000

export interface GuestVisibilityPublisher extends Loop {
  /**
   * Resolves once users has taken all changes of an organization up to this one, which must be committed; while users
   * doesn't answer, after `timeoutMs`.
   */
  waitUntilPublished(change: { realmId: number; number: number }, timeoutMs: number): Promise<void>
  /** The same of every change that is committed by now. */
  waitUntilAllPublished(timeoutMs: number): Promise<void>
}

interface Waiter {
  readonly realmId: number
  readonly number: number
  readonly resolve: () => void
}

/**
 * Tells users whom guests see, change by change in the order in which they were made, until it has taken each: it knows
 * by their numbers which it has. One replica tells at a time. Wake it after a commit that changed something.
 */
export function startGuestVisibilityPublisher(options: {
  db: Pool
  call: InternalClient
  log: Logger
}): GuestVisibilityPublisher {
  const { db, call, log } = options
  const waiters = new Set<Waiter>()
  /** How many changes it told; null while another replica tells. */
  const tellSome = () =>
    inTransaction(db, async (tx) => {
      if (!(await claimTelling(tx))) return null
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
  /** Changes of an organization are committed in the order of their numbers, so none below a waiter's comes later. */
  const endWaiting = async (before: readonly Waiter[]) => {
    if (before.length === 0) return
    const oldest = await listOldestPending(db)
    for (const { realmId, number, resolve } of before) {
      if ((oldest.get(realmId) ?? Number.POSITIVE_INFINITY) > number) resolve()
    }
  }
  const loop = startLoop({
    name: 'telling of guests’ sight',
    log,
    retryMs: 1_000,
    round: async () => {
      const before = [...waiters]
      if (!(await hasUnpublishedChanges(db))) {
        for (const { resolve } of before) resolve()
        return PAUSE_MS
      }
      const count = await tellSome()
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
