import { internal, missedMessagesOutcome } from '@tms/contracts'
import {
  Counter,
  Gauge,
  type InternalClient,
  type Logger,
  type Loop,
  type Registry,
  startLoop,
} from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import {
  type Batch,
  deleteMissedBatch,
  hasDueBatches,
  holdBatch,
  leaseDueBatches,
  measureOverdue,
  postponeBatch,
  postponeBatchUntil,
  type Turn,
} from './batch.queries.ts'
import { describeBatch, MAX_MESSAGES } from './describe-batch.ts'
import { holdIfQuiet } from './hold-if-quiet.ts'
import { isLastAttempt, retryDelayMs } from './retry.rules.ts'

/** How often due batches are looked for: too seldom delays mails, too often costs queries. */
const PAUSE_MS = 1_000
/** Batches that one replica hands over at once: reading them takes connections that requests need. */
const MAX_CONCURRENT: Record<Turn, number> = { first: 3, again: 2 }
/** Longer than handing over takes. A replica that dies is replaced after this time. */
const LEASE_MS = 15_000
const CALL_TIMEOUT_MS = 10_000
const MAX_COUNTED = 100_000

/**
 * What became of a batch: as users answered, `empty` if nothing of it was unread and visible any more, `held` until its
 * user's quiet hours end, `retried` after a failure, or `given_up` after a day of failures.
 */
const OUTCOMES = [...missedMessagesOutcome.options, 'empty', 'held', 'retried', 'given_up'] as const
type Outcome = (typeof OUTCOMES)[number]

/**
 * Hands over to users what is to be mailed. Replicas lease due batches, and users recognizes a batch that is handed
 * over again, so each is mailed once although replicas die. Batches that failed are tried again beside the others,
 * which don't wait for them.
 */
export function startMissedMessageHandOver(
  context: Context,
  call: InternalClient,
  metrics: Registry,
  log: Logger,
): Loop {
  const { db } = context
  const count = registerMetrics(context, metrics)
  const attempt = async (batch: Batch): Promise<Outcome> => {
    const { id: batchId, userId, attempts } = batch
    try {
      return await handOver(context, call, batch)
    } catch (err) {
      if (isLastAttempt(attempts)) {
        log.error({ err, batchId, userId, attempts }, 'missed messages are not mailed: given up')
        await deleteMissedBatch(db, batchId)
        return 'given_up'
      }
      log.warn({ err, batchId, userId, attempts }, 'missed messages will be mailed later')
      await postponeBatch(db, batchId, retryDelayMs(attempts))
      return 'retried'
    }
  }
  const start = (turn: Turn, name: string): Loop =>
    startLoop({
      name,
      log,
      round: async () => {
        if (!(await hasDueBatches(db, turn))) return PAUSE_MS
        const batches = await leaseDueBatches(db, { turn, leaseMs: LEASE_MS, limit: MAX_CONCURRENT[turn] })
        // If the outcome can't be recorded either, the lease expires.
        await Promise.all(batches.map((batch) => attempt(batch).then(count, () => count('retried'))))
        return batches.length > 0 ? 0 : PAUSE_MS
      },
    })
  const loops = [start('first', 'missed message mails'), start('again', 'retried missed message mails')]
  return {
    wake: () => {
      for (const loop of loops) loop.wake()
    },
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

async function handOver(context: Context, call: InternalClient, batch: Batch): Promise<Outcome> {
  const { db } = context
  const isHeld = await holdIfQuiet(context, batch.userId, async (tx, until) => {
    // One that failed before may be mailed already: nothing may join it, since users takes it for the same.
    if (batch.attempts > 1) await postponeBatchUntil(tx, batch.id, until)
    else await holdBatch(tx, batch, { until, limit: MAX_MESSAGES })
  })
  if (isHeld) return 'held'
  const { conversations, furtherCount, at } = await describeBatch(context, batch)
  if (conversations.length === 0) {
    await deleteMissedBatch(db, batch.id)
    return 'empty'
  }
  const body = {
    batch_id: batch.id,
    realm_id: batch.realmId,
    user_id: batch.userId,
    conversations: [...conversations],
    further_count: furtherCount,
    described_at: at.getTime(),
  }
  const { outcome } = await call(internal.users.mailMissedMessages, body, { timeoutMs: CALL_TIMEOUT_MS })
  await deleteMissedBatch(db, batch.id)
  return outcome
}

function registerMetrics({ db }: Context, metrics: Registry): (outcome: Outcome) => void {
  const batches = new Counter({
    name: 'missed_message_batches_total',
    help: `Batches of missed messages of one user whose time has come, by outcome: ${OUTCOMES.join(', ')}.`,
    labelNames: ['outcome'],
    registers: [metrics],
  })
  // A series must exist before its first increment, or a rate misses that one.
  for (const outcome of OUTCOMES) batches.inc({ outcome }, 0)
  // If the database is down, these gauges are NaN and all others still report.
  let measuring: ReturnType<typeof measureOverdue> | null = null
  const measure = () => {
    measuring ??= measureOverdue(db, MAX_COUNTED)
      .catch(() => ({ count: Number.NaN, lagSeconds: Number.NaN }))
      .finally(() => {
        measuring = null
      })
    return measuring
  }
  new Gauge({
    name: 'missed_message_batches_overdue',
    help: `Batches of missed messages whose time has come and that are not handed over, by all replicas; ${MAX_COUNTED} stands for more.`,
    registers: [metrics],
    async collect() {
      this.set((await measure()).count)
    },
  })
  new Gauge({
    name: 'missed_message_lag_seconds',
    help: 'How long the most overdue batch of missed messages has been waiting to be handed over.',
    registers: [metrics],
    async collect() {
      this.set((await measure()).lagSeconds)
    },
  })
  return (outcome) => batches.inc({ outcome })
}
