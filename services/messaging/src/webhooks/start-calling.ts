import { Counter, Gauge, type Logger, type Loop, type Registry, startLoop } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { refusalOf } from '../scheduled-messages/scheduled-message.rules.ts'
import {
  type Calling,
  callWebhook,
  EndedElsewhere,
  OUTCOMES,
  type Outcome,
  prepareCall,
} from './call-webhook.ts'
import {
  countCalls,
  keepTaken,
  postponeCall,
  removeCall,
  takeDueCalls,
  type WebhookCall,
} from './webhook-call.queries.ts'

/** Calls that one replica makes at once. Each only waits, mostly; more than that would be memory for their answers. */
const AT_ONCE = 256
/** And of one bot: where its server is slow, that holds up its own calls alone. */
const AT_ONCE_OF_BOT = 4
/**
 * For how long a replica has a call to itself; it renews that. Too small has two replicas call while one is only slow,
 * of which one reply is taken; too large delays what a replica had that died.
 */
const LEASE_MS = 5_000
const RENEW_MS = 1_000
/** Longer than a call takes, so that nobody else makes those again that a replica ends while it stops. */
const STOPPING_LEASE_MS = 15_000
/** The replica that stores a message is woken; this is for the others, for renewing, and for what failed before. */
const PAUSE_MS = 250
/** After what isn't the webhook's fault, as while users is away. */
const RETRY_MS = 2_000
const MAX_COUNTED = 100_000

/** Calls outgoing webhooks; any number of replicas may do it at once. */
export function startCalling(context: Context, calling: Calling, metrics: Registry, log: Logger): Loop {
  const { db, now } = context
  const count = registerMetrics(context, metrics)
  const running = new Map<string, { readonly call: WebhookCall; readonly attempt: Promise<void> }>()
  let renewedAt = 0

  const start = (call: WebhookCall) => {
    const attempt = makeCall(context, calling, call, log)
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
        await keepTaken(db, runningCalls(), LEASE_MS)
      }
      if (signal.aborted || running.size >= AT_ONCE) return PAUSE_MS
      const taken = await takeDueCalls(db, {
        leaseMs: LEASE_MS,
        busyBotIds: busyBotIds(runningCalls()),
        runningIds: [...running.keys()],
        limit: AT_ONCE - running.size,
      })
      for (const call of taken) start(call)
      return taken.length > 0 ? 0 : PAUSE_MS
    },
  })
  return {
    wake: loop.wake,
    stop: async () => {
      await loop.stop()
      // Nothing renews it any more.
      if (running.size > 0) await keepTaken(db, runningCalls(), STOPPING_LEASE_MS).catch(() => {})
      await Promise.all([...running.values()].map(({ attempt }) => attempt))
    },
  }
}

/** Counts calls by outcome, and shows how many there are. */
function registerMetrics({ db }: Context, metrics: Registry): (outcome: Outcome) => void {
  const calls = new Counter({
    name: 'webhook_calls_total',
    help: `Calls of outgoing webhooks, by outcome: ${OUTCOMES.join(', ')}.`,
    labelNames: ['outcome'],
    registers: [metrics],
  })
  // The first of a kind is a change as well, which a rate sees only of a series that was there.
  for (const outcome of OUTCOMES) calls.inc({ outcome }, 0)
  new Gauge({
    name: 'webhook_calls_waiting',
    help: `Calls of outgoing webhooks that are yet to be answered, by all replicas; ${MAX_COUNTED} stands for more.`,
    registers: [metrics],
    async collect() {
      // Without the database there is nothing to say of it, and all the rest to be said.
      this.set(await countCalls(db, MAX_COUNTED).catch(() => Number.NaN))
    },
  })
  return (outcome) => calls.inc({ outcome })
}

/** Those that have as many calls as they may. */
function busyBotIds(calls: readonly WebhookCall[]): number[] {
  const counts = new Map<number, number>()
  for (const { botId } of calls) counts.set(botId, (counts.get(botId) ?? 0) + 1)
  return [...counts].filter(([, count]) => count >= AT_ONCE_OF_BOT).map(([botId]) => botId)
}

/** Makes a call, or has it made again. Never rejects. */
async function makeCall(
  context: Context,
  calling: Calling,
  call: WebhookCall,
  log: Logger,
): Promise<Outcome> {
  const { db } = context
  const ofCall = { webhookCallId: call.id, botId: call.botId }
  let { failures } = call
  try {
    const job = await prepareCall(context, calling, call)
    if (job === null) return await drop(db, call)
    // From here on the webhook may have been called: that isn't repeated without an end.
    failures++
    return await callWebhook(context, calling, job)
  } catch (err) {
    if (err instanceof EndedElsewhere) return 'dropped'
    const isOver = failures > calling.retryDelaysMs.length || refusalOf(err) !== null
    if (isOver) {
      log.error({ err, ...ofCall }, 'call of an outgoing webhook was given up')
      return await drop(db, call).catch(() => 'dropped' as const)
    }
    log.warn({ err, ...ofCall }, 'outgoing webhook will be called again')
    // Where this fails too, the lease runs out and it is called again.
    await postponeCall(db, { id: call.id, failures }, RETRY_MS).catch(() => {})
    return 'retried'
  }
}

async function drop(db: Context['db'], { id }: WebhookCall): Promise<Outcome> {
  await removeCall(db, id)
  return 'dropped'
}
