import { type Logger, type Loop, type Pool, startLoop, type Tx, transact } from '@tms/service-kit'
import {
  advanceProgress,
  findLastIssued,
  flushPendingEntries,
  indexTexts,
  lockProgress,
} from './message-text.queries.ts'

/** Searches scan messages that aren't indexed yet: too long a pause makes them slow, too short wastes rounds. */
const BUSY_MS = 250
/** Delay of the first message after a pause. */
const IDLE_MS = 1_000
/** The indexer works at most one part in so many of the time, unless a round can't index everything. */
const DUTY = 10
/** Messages are locked against changes during a round: too many delay edits, too few cost rounds. */
const BATCH = 1_000
/**
 * Pending entries are searched one by one: flushing too seldom makes searches slow, too often loses the gain of large
 * batches.
 */
const FLUSH_MS = 2_000
const RETRY_MS = 1_000

/**
 * The last issued message ID, and a transaction that began after that. A message gets its ID in a transaction that has
 * locked its recipient and so has a transaction ID (`storeMessage`). So once all transactions before `xid` have ended,
 * every message with an ID up to `position` is visible or will never exist.
 */
interface IssuedId {
  readonly position: number
  readonly xid: string
}

/** Result of a round: where the next one starts, and how long to wait for it. */
interface Round {
  readonly issued: IssuedId
  readonly upTo: number
  readonly restMs: number
}

/**
 * Indexes the texts of messages for searches, a moment after they were sent. All replicas run it, one at a time works.
 * The database itself updates the texts of messages that change later.
 */
export function startSearchIndexer(db: Pool, log: Logger): Loop {
  let issued: IssuedId = { position: 0, xid: '0' }
  let upTo = 0
  let flushedAt = Number.NEGATIVE_INFINITY
  return startLoop({
    name: 'search indexer',
    log,
    retryMs: RETRY_MS,
    round: async () => {
      if (performance.now() - flushedAt >= FLUSH_MS) {
        await flushPendingEntries(db)
        flushedAt = performance.now()
      }
      const position = await findLastIssued(db)
      if (position === upTo) return IDLE_MS
      const round = await transact(db, (tx) => indexUpTo(tx, position, issued))
      if (!round) return BUSY_MS
      issued = round.issued
      upTo = round.upTo
      return round.restMs
    },
  })
}

/**
 * Indexes messages up to `position`, which was read before the transaction began; null if it isn't this replica's
 * turn.
 */
async function indexUpTo(tx: Tx, position: number, issued: IssuedId): Promise<Round | null> {
  const startedAt = performance.now()
  const progress = await lockProgress(tx, issued.xid)
  if (!progress) return null
  const { upTo: from, xid, haveEarlierEnded } = progress
  const count = await indexTexts(tx, from, position, BATCH)
  const restMs =
    count === BATCH ? 0 : Math.max(BUSY_MS, Math.round((DUTY - 1) * (performance.now() - startedAt)))
  const settled = haveEarlierEnded ? issued.position : from
  const upTo = await advanceProgress(tx, { from, settled, restMs })
  return { upTo, restMs, issued: haveEarlierEnded ? { position, xid } : issued }
}
