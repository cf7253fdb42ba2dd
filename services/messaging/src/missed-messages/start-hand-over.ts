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
  hasBatches,
  leaseDueBatches,
  listBatch,
  measureOverdue,
  postponeBatch,
} from './batch.queries.ts'
import { fitIntoBatch } from './conversation.rules.ts'
import { describeBatch } from './describe-batch.ts'

/** How often due batches are looked for: too seldom delays mails, too often costs queries. */
const PAUSE_MS = 1_000
/** Batches that one replica hands over at once: reading them takes connections that requests need. */
const MAX_CONCURRENT = 4
/** Longer than handing over takes. A replica that dies is replaced after this time. */
const LEASE_MS = 15_000
const CALL_TIMEOUT_MS = 10_000
/** After a failure, such as users being unavailable. */
const RETRY_MS = 2_000
const MAX_COUNTED = 100_000

/**
 * What became of a batch: as users answered, `empty` if nothing of it was unread and visible any more, or `retried`
 * after a failure.
 */
const OUTCOMES = [...missedMessagesOutcome.options, 'empty', 'retried'] as const
type Outcome = (typeof OUTCOMES)[number]

/**
 * Hands over to users what is to be mailed. Replicas lease due batches, and users recognizes a batch that is handed
 * over again, so each is mailed once although replicas die.
 */
export function startMissedMessageHandOver(
  context: Context,
  call: InternalClient,
  metrics: Registry,
  log: Logger,
): Loop {
  const { db } = context
  const count = registerMetrics(context, metrics)
  return startLoop({
    name: 'missed message mails',
    log,
    round: async () => {
      if (!(await hasBatches(db))) return PAUSE_MS
      const batches = await leaseDueBatches(db, LEASE_MS, MAX_CONCURRENT)
      await Promise.all(
        batches.map(async (batch) => {
          try {
            count(await handOver(context, call, batch))
          } catch (err) {
            count('retried')
            log.warn({ err, batchId: batch.id, userId: batch.userId }, 'missed messages will be mailed later')
            // If this fails too, the lease expires.
            await postponeBatch(db, batch.id, RETRY_MS).catch(() => {})
          }
        }),
      )
      return batches.length > 0 ? 0 : PAUSE_MS
    },
  })
}

async function handOver(context: Context, call: InternalClient, batch: Batch): Promise<Outcome> {
  const { db } = context
  const conversations = await describeBatch(context, batch, await listBatch(db, batch.id))
  if (conversations.length === 0) {
    await deleteMissedBatch(db, batch.id)
    return 'empty'
  }
  const { shown, furtherCount } = fitIntoBatch(conversations)
  const body = {
    batch_id: batch.id,
    realm_id: batch.realmId,
    user_id: batch.userId,
    conversations: [...shown],
    further_count: furtherCount,
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
