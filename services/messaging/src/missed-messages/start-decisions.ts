import { randomUUID } from 'node:crypto'
import { AWAY_AFTER_SECONDS, notificationTrigger, pushTrigger } from '@tms/contracts'
import {
  Counter,
  Gauge,
  type InternalClient,
  type Logger,
  type Loop,
  type Pool,
  type Registry,
  startLoop,
  type Tx,
  transact,
} from '@tms/service-kit'
import { deleteAddedMentions, findAddedMentions } from './added-mention.queries.ts'
import { addMissedMessages } from './batch.queries.ts'
import { listAddedCandidates, listCandidates, listCandidatesOf, listWildcards } from './candidate.queries.ts'
import { type Decided, decideAdded, decideMissed, decidePostponed } from './decide-missed.ts'
import { createActivityFinder, type FindActivity } from './find-activity.ts'
import { addPostponed, deletePostponed, listDuePostponed } from './postponed.queries.ts'
import {
  advanceDecisions,
  countUndecided,
  findLastIssued,
  findRangeEnd,
  findTransaction,
  leaseDecisions,
  returnDecisions,
} from './progress.queries.ts'
import { addPushes } from './push-notice.queries.ts'
import { addWildcards, advanceWildcard, findWildcard } from './wildcard.queries.ts'

/** Between rounds while messages are sent: too short costs queries for few messages, too long delays the decision. */
const BUSY_MS = 500
const IDLE_MS = 1_000
const RETRY_MS = 1_000
/** A replica that dies is replaced after this time. */
const LEASE_MS = 5_000
/**
 * Messages of a round, and users that one of them may concern: more take too much memory, fewer cost rounds, each of
 * which is planned anew (2 ms).
 */
const MAX_MESSAGES = 400
const MAX_USERS_OF_EACH = 100
/** Users of a round for one message that concerns more, for the same reasons. */
const MAX_USERS_OF_ONE = 2_000
/** Users of a round who were active when a message came. */
const MAX_POSTPONED = 2_000

/**
 * Decides of each message which users are notified of it, by mail or on their devices, a moment after it was sent and beside sends. All
 * replicas run it, one at a time works. What a round decides is stored in the transaction that records up to which
 * message it is decided, so each is decided once.
 *
 * Messages don't commit in the order of their IDs. As for the search indexer, a message gets its ID in a transaction
 * that has locked its recipient and so has a transaction ID: once all transactions before a later one have ended, every
 * message with an ID from before that is visible or will never exist. `onPushes` is called after each round that has
 * something for devices.
 */
export function startMissedMessageDecisions(
  db: Pool,
  call: InternalClient,
  metrics: Registry,
  log: Logger,
  onPushes: () => void,
): Loop {
  const countDecided = registerMetrics(db, metrics)
  const count: CountDecided = (decided) => {
    countDecided(decided)
    if (decided.pushes.length > 0) onPushes()
  }
  const holder = randomUUID()
  const findActivity = createActivityFinder(call)
  let issued = { position: 0, xid: '0' }
  let decidedUpTo = -1
  const loop = startLoop({
    name: 'missed message decisions',
    log,
    retryMs: RETRY_MS,
    round: async () => {
      const position = await findLastIssued(db)
      if (position === decidedUpTo && !(await hasMore(db))) return IDLE_MS
      const from = await leaseDecisions(db, holder, LEASE_MS)
      // Another replica has them, which may die: this one doesn't know what is decided by then.
      if (from === null) return IDLE_MS
      const { xid, haveEarlierEnded } = await findTransaction(db, issued.xid)
      const settled = haveEarlierEnded ? issued.position : from
      if (haveEarlierEnded) issued = { position, xid }
      const upTo = settled > from ? await findRangeEnd(db, from, settled, MAX_MESSAGES) : from
      if (upTo > from && !(await decideRange(db, findActivity, { from, upTo, count }))) return BUSY_MS
      decidedUpTo = upTo
      const hadWildcard = await decideWildcard(db, findActivity, count)
      const hadEdit = await decideEdit(db, findActivity, { upTo, count })
      const hadPostponed = await decideDuePostponed(db, findActivity, count)
      return upTo < settled || hadWildcard || hadEdit || hadPostponed ? 0 : BUSY_MS
    },
  })
  return {
    wake: loop.wake,
    stop: async () => {
      await loop.stop()
      await returnDecisions(db, holder).catch(() => {})
    },
  }
}

/** Whether messages that concern many, edits, or users who were active when a message came are to be decided. */
async function hasMore(db: Pool): Promise<boolean> {
  if ((await findWildcard(db)) !== null) return true
  if ((await findAddedMentions(db, Number.MAX_SAFE_INTEGER)) !== null) return true
  return (await listDuePostponed(db, 1)).length > 0
}

/** Decides the messages of a range; false if another replica has done so. */
async function decideRange(
  db: Pool,
  findActivity: FindActivity,
  { from, upTo, count }: { readonly from: number; readonly upTo: number; readonly count: CountDecided },
): Promise<boolean> {
  const { candidates, crowded } = await listCandidates(db, { after: from, upTo, limit: MAX_USERS_OF_EACH })
  const decided = await decideMissed(db, findActivity, candidates)
  const wildcards = [...(await listWildcards(db, from, upTo)), ...crowded]
  const isFirst = await transact(db, async (tx) => {
    if (!(await advanceDecisions(tx, from, upTo))) return false
    await addWildcards(tx, wildcards)
    await addDecided(tx, decided)
    return true
  })
  if (isFirst) count(decided)
  return isFirst
}

/** Decides the next edit that mentions further users, of a decided message; false if there was none. */
async function decideEdit(
  db: Pool,
  findActivity: FindActivity,
  { upTo, count }: { readonly upTo: number; readonly count: CountDecided },
): Promise<boolean> {
  const edit = await findAddedMentions(db, upTo)
  if (edit === null) return false
  const decided = await decideAdded(
    db,
    findActivity,
    await listAddedCandidates(db, edit.messageId, edit.userIds),
  )
  const isFirst = await transact(db, async (tx) => {
    if (!(await deleteAddedMentions(tx, edit.id))) return false
    await addDecided(tx, decided)
    return true
  })
  if (isFirst) count(decided)
  return true
}

/** Decides the next users of a message that concerns many; false if there was none. */
async function decideWildcard(db: Pool, findActivity: FindActivity, count: CountDecided): Promise<boolean> {
  const wildcard = await findWildcard(db)
  if (wildcard === null) return false
  const { messageId, afterUserId } = wildcard
  const page = await listCandidatesOf(db, messageId, afterUserId, MAX_USERS_OF_ONE)
  const decided = await decideMissed(db, findActivity, page.candidates)
  const isFirst = await transact(db, async (tx) => {
    if (!(await advanceWildcard(tx, wildcard, page.lastUserId))) return false
    await addDecided(tx, decided)
    return true
  })
  if (isFirst) count(decided)
  return true
}

/** Decides the next users who were active when a message came; false if there was none. */
async function decideDuePostponed(
  db: Pool,
  findActivity: FindActivity,
  count: CountDecided,
): Promise<boolean> {
  const due = await listDuePostponed(db, MAX_POSTPONED)
  if (due.length === 0) return false
  const decided = await decidePostponed(db, findActivity, due)
  const ids = due.map(({ id }) => id)
  await transact(db, async (tx) => {
    // Rolled back, and what is left comes in the next round.
    if (!(await deletePostponed(tx, ids))) throw new Error('another replica has decided some of these users')
    await addDecided(tx, decided)
  })
  count(decided)
  return true
}

async function addDecided(tx: Tx, { missed, pushes, postponed }: Decided): Promise<void> {
  await addMissedMessages(tx, missed)
  await addPushes(tx, pushes)
  await addPostponed(tx, postponed, AWAY_AFTER_SECONDS)
}

type CountDecided = (decided: Decided) => void

function registerMetrics(db: Pool, metrics: Registry): CountDecided {
  const counter = new Counter({
    name: 'missed_messages_total',
    help: 'Messages of which a user who is away is to be notified by mail, by reason.',
    labelNames: ['trigger'],
    registers: [metrics],
  })
  // A series must exist before its first increment, or a rate misses that one.
  for (const trigger of notificationTrigger.options) counter.inc({ trigger }, 0)
  const pushed = new Counter({
    name: 'push_notices_decided_total',
    help: 'Messages of which a user is to be notified on their devices, by reason.',
    labelNames: ['trigger'],
    registers: [metrics],
  })
  for (const trigger of pushTrigger.options) pushed.inc({ trigger }, 0)
  new Gauge({
    name: 'missed_message_undecided_ids',
    help: 'IDs of messages, stored or not, of which it is yet to be decided which users are notified.',
    registers: [metrics],
    async collect() {
      // Without the database this metric is unknown, but all others are still reported.
      this.set(await countUndecided(db).catch(() => Number.NaN))
    },
  })
  return ({ missed, pushes }) => {
    for (const { trigger } of missed) counter.inc({ trigger })
    for (const { trigger } of pushes) pushed.inc({ trigger })
  }
}
