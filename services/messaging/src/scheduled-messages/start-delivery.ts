import { Gauge, type Logger, type Loop, type Registry, startLoop } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { permanentErrorText } from '../messages/permanent-error.rules.ts'
import { claimDue, findBacklog, postpone } from './due-message.queries.ts'
import type { ScheduledMessage } from './scheduled-message.queries.ts'
import { mayBePassed, retryDelayMs } from './scheduled-message.rules.ts'
import {
  markUndeliverable,
  ScheduledMessageChangedError,
  sendScheduledMessage,
} from './send-scheduled-message.ts'

/** Messages that one replica sends at once, each of another topic, so that a slow one blocks only its own. */
const MAX_CONCURRENT = 4
/**
 * Lease of a message. Too small lets two replicas check the same message, of which one sends it; too large delays
 * the messages of a replica that crashed.
 */
const LEASE_MS = 2_000
/** How late a message may be that was scheduled since the last poll. A poll that finds nothing due costs a small query. */
const MAX_PAUSE_MS = 250
/** Messages that are due but leased belong to another replica: polling faster would only cost. */
const MIN_PAUSE_MS = 20

/**
 * Sends scheduled messages when they are due. Any number of replicas may do it at once. A message that became due
 * during an outage is sent afterwards, however late: losing it would be worse. Messages of a topic or conversation
 * are sent in the order of their times, and then of their IDs.
 */
export function startDelivery(context: Context, metrics: Registry, log: Logger): Loop {
  const { db, now } = context
  /** Running attempts by ID: one that outlasts its lease must not occupy all slots. */
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
      const { nextAttemptMs, ...backlog } = await findBacklog(db)
      oldestDeliverAt = backlog.oldestDeliverAt
      if (nextAttemptMs === null) return MAX_PAUSE_MS
      const waitMs = nextAttemptMs - now().getTime()
      if (waitMs > 0) return Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, waitMs))
      while (running.size < MAX_CONCURRENT && !signal.aborted) {
        const until = new Date(now().getTime() + LEASE_MS)
        const message = await claimDue(db, { now: now(), until, busyIds: [...running.keys()] })
        if (!message) break
        const attempt = attemptDelivery(context, message, log).finally(() => {
          running.delete(message.id)
          loop.wake()
        })
        running.set(message.id, attempt)
      }
      // The end of an attempt wakes the loop.
      return running.size === MAX_CONCURRENT ? MAX_PAUSE_MS : MIN_PAUSE_MS
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

/** Sends a message, marks it as failed, or schedules another attempt. Never rejects. */
async function attemptDelivery(context: Context, message: ScheduledMessage, log: Logger): Promise<void> {
  try {
    await deliverOrFail(context, message)
  } catch (err) {
    if (err instanceof ScheduledMessageChangedError) return
    const now = context.now()
    const delayMs = retryDelayMs(message.deliverAt, now)
    log.warn({ err, scheduledMessageId: message.id, delayMs }, 'scheduled message will be tried again')
    const next = {
      attemptAt: new Date(now.getTime() + delayMs),
      mayBePassed: mayBePassed(message.deliverAt, now),
    }
    // If this fails too, the message is tried again after its lease.
    await postpone(context.db, message, next).catch(() => {})
  }
}

async function deliverOrFail(context: Context, message: ScheduledMessage): Promise<void> {
  try {
    await sendScheduledMessage(context, message)
  } catch (err) {
    const reason = err instanceof ScheduledMessageChangedError ? null : permanentErrorText(err)
    if (reason === null) throw err
    await markUndeliverable(context, message, reason)
  }
}
