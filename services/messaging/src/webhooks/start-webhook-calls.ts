import { Counter, Gauge, type Logger, type Loop, type Registry, startLoop } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { permanentErrorText } from '../messages/permanent-error.rules.ts'
import {
  CallEndedError,
  type CallOptions,
  callWebhook,
  OUTCOMES,
  type Outcome,
  prepareCall,
} from './call-webhook.ts'
import {
  countCalls,
  hasCalls,
  leaseDueCalls,
  postponeCall,
  removeCall,
  renewLeases,
  type WebhookCall,
} from './webhook-call.queries.ts'

/** Concurrent calls of one replica. They mostly wait; more would only cost memory for their answers. */
const MAX_CONCURRENT = 256
/** Concurrent calls of one bot: a slow server delays only its own calls. */
const MAX_CONCURRENT_OF_BOT = 4
/**
 * How long a replica leases a call; it renews the lease. Too short lets two replicas call when one is only slow, of
 * which one reply is stored; too long delays the calls of a replica that died.
 */
const LEASE_MS = 5_000
const RENEW_MS = 1_000
/** Longer than a call takes, so that no other replica repeats the calls that this one finishes while it stops. */
const STOPPING_LEASE_MS = 15_000
/**
 * The replica that stores a message wakes its own loop; this pause is for other replicas, for renewals and for
 * retries.
 */
const PAUSE_MS = 250
/** After a failure that isn't the webhook's, such as users being unavailable. */
const RETRY_MS = 2_000
const MAX_COUNTED = 100_000

/** Calls outgoing webhooks. Several replicas may run it at once. */
export function startWebhookCalls(
  context: Context,
  options: CallOptions,
  metrics: Registry,
  log: Logger,
): Loop {
  const { db, now } = context
  const count = registerMetrics(context, metrics)
  const running = new Map<string, { readonly call: WebhookCall; readonly attempt: Promise<void> }>()
  let renewedAt = 0

  const start = (call: WebhookCall) => {
    const attempt = makeCall(context, options, call, log)
      .then((outcome) => count(outcome))
      .finally(() => {
        running.delete(call.id)
        loop.wake()
      })
    running.set(call.id, { call, attempt })
  }
  const runningCalls = () => [...running.values()].map(({ call }) => call)

  const loop = startLoop({
    name: 'outgoing webhooks',
    log,
    round: async (signal) => {
      const nowMs = now().getTime()
      if (running.size > 0 && nowMs - renewedAt >= RENEW_MS) {
        renewedAt = nowMs
        await renewLeases(db, runningCalls(), LEASE_MS)
      }
      if (signal.aborted || running.size >= MAX_CONCURRENT) return PAUSE_MS
      if (running.size === 0 && !(await hasCalls(db))) return PAUSE_MS
      const leased = await leaseDueCalls(db, {
        leaseMs: LEASE_MS,
        busyBotIds: busyBotIds(runningCalls()),
        runningIds: [...running.keys()],
        limit: MAX_CONCURRENT - running.size,
      })
      for (const call of leased) start(call)
      return leased.length > 0 ? 0 : PAUSE_MS
    },
  })
  return {
    wake: loop.wake,
    stop: async () => {
      await loop.stop()
      // Nothing renews the leases any more.
      if (running.size > 0) await renewLeases(db, runningCalls(), STOPPING_LEASE_MS).catch(() => {})
      await Promise.all([...running.values()].map(({ attempt }) => attempt))
    },
  }
}

/** Registers the metrics and returns the counter of outcomes. */
function registerMetrics({ db }: Context, metrics: Registry): (outcome: Outcome) => void {
  const calls = new Counter({
    name: 'webhook_calls_total',
    help: `Calls of outgoing webhooks, by outcome: ${OUTCOMES.join(', ')}.`,
    labelNames: ['outcome'],
    registers: [metrics],
  })
  // A series must exist before its first increment, or a rate misses that one.
  for (const outcome of OUTCOMES) calls.inc({ outcome }, 0)
  new Gauge({
    name: 'webhook_calls_waiting',
    help: `Calls of outgoing webhooks that are yet to be answered, by all replicas; ${MAX_COUNTED} stands for more.`,
    registers: [metrics],
    async collect() {
      // Without the database this metric is unknown, but all others are still reported.
      this.set(await countCalls(db, MAX_COUNTED).catch(() => Number.NaN))
    },
  })
  return (outcome) => calls.inc({ outcome })
}

/** Bots that have as many calls as they may. */
function busyBotIds(calls: readonly WebhookCall[]): number[] {
  const counts = new Map<number, number>()
  for (const { botId } of calls) counts.set(botId, (counts.get(botId) ?? 0) + 1)
  return [...counts].filter(([, count]) => count >= MAX_CONCURRENT_OF_BOT).map(([botId]) => botId)
}

/** Makes a call, or schedules it again. Never rejects. */
async function makeCall(
  context: Context,
  options: CallOptions,
  call: WebhookCall,
  log: Logger,
): Promise<Outcome> {
  const { db } = context
  const ofCall = { webhookCallId: call.id, botId: call.botId }
  let { failures } = call
  try {
    const prepared = await prepareCall(context, options, call)
    if (prepared === null) return await drop(db, call)
    // From here on the webhook may have been called, so attempts are counted and limited.
    failures++
    return await callWebhook(context, options, prepared)
  } catch (err) {
    if (err instanceof CallEndedError) return 'dropped'
    const isOver = failures > options.retryDelaysMs.length || permanentErrorText(err) !== null
    if (isOver) {
      log.error({ err, ...ofCall }, 'call of an outgoing webhook was given up')
      return await drop(db, call).catch(() => 'dropped' as const)
    }
    log.warn({ err, ...ofCall }, 'outgoing webhook will be called again')
    // If this fails too, the lease expires and the call is repeated.
    await postponeCall(db, { id: call.id, failures }, RETRY_MS).catch(() => {})
    return 'retried'
  }
}

async function drop(db: Context['db'], { id }: WebhookCall): Promise<Outcome> {
  await removeCall(db, id)
  return 'dropped'
}
