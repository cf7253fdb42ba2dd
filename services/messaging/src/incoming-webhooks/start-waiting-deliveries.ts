import { Gauge, type Logger, type Loop, type Registry, startLoop } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { postWaitingDelivery } from './post-waiting-delivery.ts'
import { countAllWaiting, findNextPost, leaseDueBacklogs } from './webhook-backlog.queries.ts'

/** Bots for which one replica posts at once. */
const MAX_CONCURRENT = 8
/**
 * How long a replica leases the next delivery of a bot. Too short lets two replicas post the same messages, each of which is
 * stored once; too long delays the deliveries of a replica that died.
 */
const LEASE_MS = 5_000
/** The replica that stores a delivery wakes its own loop; this pause is for others. */
const MAX_PAUSE_MS = 1_000
/** What is due but leased belongs to another replica: polling faster would only cost. */
const MIN_PAUSE_MS = 20

/** Posts the webhook deliveries that wait, of each bot in their order and as fast as it may. Several replicas may run it at once. */
export function startWaitingDeliveries(context: Context, metrics: Registry, log: Logger): Loop {
  const { db } = context
  const running = new Map<number, Promise<void>>()
  new Gauge({
    name: 'webhook_deliveries_waiting',
    help: 'Deliveries to incoming webhooks that wait because they came faster than their bots may post, by all replicas.',
    registers: [metrics],
    async collect() {
      // Without the database this metric is unknown, but all others are still reported.
      this.set(await countAllWaiting(db).catch(() => Number.NaN))
    },
  })

  const loop = startLoop({
    name: 'waiting webhook deliveries',
    log,
    round: async (signal) => {
      if (signal.aborted || running.size >= MAX_CONCURRENT) return MAX_PAUSE_MS
      const leased = await leaseDueBacklogs(db, {
        ...{ leaseMs: LEASE_MS, busyBotIds: [...running.keys()], limit: MAX_CONCURRENT - running.size },
      })
      for (const backlog of leased) {
        const attempt = postWaitingDelivery(context, backlog, log).finally(() => {
          running.delete(backlog.botId)
          loop.wake()
        })
        running.set(backlog.botId, attempt)
      }
      const nextMs = await findNextPost(db)
      return nextMs === null ? MAX_PAUSE_MS : Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, nextMs))
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
