import { inTransaction, type Logger, type Loop, type Pool, startLoop, type Tx } from '@tms/service-kit'
import {
  advanceProgress,
  findLastIssued,
  keepTexts,
  lockProgress,
  takeInPending,
} from './kept-texts.queries.ts'

/** Searches look at each message that waits for the keeper: too seldom makes them slow, too often wastes rounds. */
const BUSY_MS = 250
/** How long the first message after a pause may wait. */
const IDLE_MS = 1_000
/** The keeper works at most one part in so many of the time, unless there is more to do than one round can. */
const DUTY = 10
/** Messages are locked against changes while a round lasts: too many make an edit wait, too few cost rounds. */
const BATCH = 1_000
/**
 * What is pending is searched entry by entry: too seldom makes searches slow, too often loses what is gained by
 * taking in many at once.
 */
const TAKE_IN_MS = 2_000
const RETRY_MS = 1_000

/**
 * An ID that was the last one given to a message, and a transaction that began after that. A message is given its ID
 * by a transaction that has locked the message's place, and so has a number (`storeMessage`). Hence once all before
 * `xid` are over, every message with an ID up to `position` is there to be seen, or will never be.
 */
interface Mark {
  readonly position: number
  readonly xid: string
}

/** What a round has come to: where the next one begins, and how long to wait for it. */
interface Round {
  readonly mark: Mark
  readonly upTo: number
  readonly restMs: number
}

/**
 * Keeps the texts of messages for searches, a moment after they were sent. Any number of replicas may: one at a time
 * does. Texts of messages that change afterwards are kept by the database itself.
 */
export function startSearchKeeper(db: Pool, log: Logger): Loop {
  let mark: Mark = { position: 0, xid: '0' }
  let upTo = 0
  let takenInAt = Number.NEGATIVE_INFINITY
  return startLoop({
    name: 'search keeper',
    log,
    retryMs: RETRY_MS,
    round: async () => {
      if (performance.now() - takenInAt >= TAKE_IN_MS) {
        await takeInPending(db)
        takenInAt = performance.now()
      }
      const position = await findLastIssued(db)
      if (position === upTo) return IDLE_MS
      const round = await inTransaction(db, (tx) => keepUpTo(tx, position, mark))
      if (!round) return BUSY_MS
      mark = round.mark
      upTo = round.upTo
      return round.restMs
    },
  })
}

/** Keeps texts of messages up to `position`, which was read before the transaction began; null if it isn't this one's turn. */
async function keepUpTo(tx: Tx, position: number, mark: Mark): Promise<Round | null> {
  const startedAt = performance.now()
  const progress = await lockProgress(tx, mark.xid)
  if (!progress) return null
  const { upTo: from, xid, areEarlierOver } = progress
  const count = await keepTexts(tx, from, position, BATCH)
  const restMs =
    count === BATCH ? 0 : Math.max(BUSY_MS, Math.round((DUTY - 1) * (performance.now() - startedAt)))
  const settled = areEarlierOver ? mark.position : from
  const upTo = await advanceProgress(tx, { from, settled, restMs })
  return { upTo, restMs, mark: areEarlierOver ? { position, xid } : mark }
}
