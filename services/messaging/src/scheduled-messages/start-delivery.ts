import { Gauge, type Logger, type Loop, type Registry, startLoop } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { deliverMessage, failMessage, NotAsRead } from './deliver-message.ts'
import { findBacklog, postpone, takeDue } from './due-message.queries.ts'
import type { ScheduledMessage } from './scheduled-message.queries.ts'
import { mayBePassed, refusalOf, retryDelayMs } from './scheduled-message.rules.ts'

/** Messages that one replica delivers at once, each of another topic, so that a slow one holds up only its own. */
const AT_ONCE = 4
/**
 * For how long a replica has a message to itself. Too small has two check the same message, of which one sends it;
 * too large delays what a replica had that died.
 */
const LEASE_MS = 2_000
/** How late a message may be that was scheduled after the last look; looking costs two queries. */
const MAX_PAUSE_MS = 250
/** What is due and could not be taken is another's: looking all the time would only cost. */
const MIN_PAUSE_MS = 20

/**
 * Delivers scheduled messages when their time comes; any number of replicas may do it at once. A message whose time
 * came while everything was down is delivered afterwards, however late: to lose it would be worse. Messages of a topic or
 * conversation are delivered in the order of their times, and then of their IDs.
 */
export function startDelivery(context: Context, metrics: Registry, log: Logger): Loop {
  const { db, now } = context
  /** What it is at, by ID: one that outlasts its lease must not take up all there is. */
  const running = new Map<number, Promise<void>>()
  let oldestDeliverAt: number | null = null
  new Gauge({
    name: 'scheduled_messages_lag_seconds',
    help: 'How late the oldest scheduled message is that was neither delivered nor failed.',
    registers: [metrics],
    collect() {
      this.set(oldestDeliverAt === null ? 0 : Math.max(0, now().getTime() / 1000 - oldestDeliverAt))
    },
  })

  const loop = startLoop({
    name: 'scheduled messages',
    log,
    round: async (signal) => {
      while (running.size < AT_ONCE && !signal.aborted) {
        const until = new Date(now().getTime() + LEASE_MS)
        const message = await takeDue(db, { now: now(), until, busyIds: [...running.keys()] })
        if (!message) break
        const attempt = tryDelivery(context, message, log).finally(() => {
          running.delete(message.id)
          loop.wake()
        })
        running.set(message.id, attempt)
      }
      const backlog = await findBacklog(db)
      oldestDeliverAt = backlog.oldestDeliverAt
      // The end of an attempt wakes it.
      if (running.size === AT_ONCE || backlog.nextAttemptMs === null) return MAX_PAUSE_MS
      return Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, backlog.nextAttemptMs - now().getTime()))
    },
  })
  return {
    wake: loop.wake,
    stop: async () => {
      await loop.stop()
      await Promise.all(running.values())
    },
  }
}

/** Delivers a message, or says that it can't be, or has it tried again later. Never rejects. */
async function tryDelivery(context: Context, message: ScheduledMessage, log: Logger): Promise<void> {
  try {
    await deliverOrFail(context, message)
    context.relay.wake()
  } catch (err) {
    if (err instanceof NotAsRead) return
    const now = context.now()
    const delayMs = retryDelayMs(message.deliverAt, now)
    log.warn({ err, scheduledMessageId: message.id, delayMs }, 'scheduled message will be tried again')
    const next = {
      attemptAt: new Date(now.getTime() + delayMs),
      mayBePassed: mayBePassed(message.deliverAt, now),
    }
    // Where this fails too, the lease runs out and it is tried again.
    await postpone(context.db, message, next).catch(() => {})
  }
}

async function deliverOrFail(context: Context, message: ScheduledMessage): Promise<void> {
  try {
    await deliverMessage(context, message)
  } catch (err) {
    const reason = err instanceof NotAsRead ? null : refusalOf(err)
    if (reason === null) throw err
    await failMessage(context, message, reason)
  }
}
