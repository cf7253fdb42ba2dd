import type { Registry } from 'prom-client'
import type { Broker } from '../broker/connection.ts'
import { createPublisher } from '../broker/publisher.ts'
import { type Loop, startLoop } from '../lifecycle/loop.ts'
import type { Pool } from '../postgres/pool.ts'
import type { Logger } from '../telemetry/log.ts'
import { Gauge } from '../telemetry/metrics.ts'
import { deleteAudits, findOldestAuditAge, listWaitingAudits } from './audit-relay.queries.ts'
import { orUnknown } from './figure.ts'

const BATCH = { limit: 500, bytes: 8 * 1024 ** 2 }
/** The relay wakes this one when it puts entries into the table, so only what an earlier holder left waits so long. */
const POLL_MS = 1_000
/** RabbitMQ's way of publishing to one queue. */
const NO_EXCHANGE = ''

/**
 * Publishes entries of the audit log to their own stream, apart from the events: a stream that doesn't confirm them delays
 * nothing else. Entries may be published again, for example by two replicas at a time, since their reader knows those it has.
 */
export function startAuditRelay(options: {
  db: Pool
  broker: Broker
  queue: string
  /** Whether this replica has the lease of the outbox. */
  isActive: () => boolean
  log: Logger
  metrics: Registry
}): Loop {
  const { db, broker, queue, isActive, log, metrics } = options
  const publisher = createPublisher(broker, NO_EXCHANGE)
  new Gauge({
    name: 'outbox_audit_lag_seconds',
    help: 'Age of the oldest entry of the audit log that the broker has yet to confirm; every replica reports it.',
    registers: [metrics],
    async collect() {
      this.set(await orUnknown(findOldestAuditAge(db)))
    },
  })
  const loop = startLoop({
    name: 'audit relay',
    log,
    round: async () => {
      if (!isActive()) return POLL_MS
      const waiting = await listWaitingAudits(db, BATCH)
      if (waiting.length === 0) return POLL_MS
      await publisher.publish(waiting.map(({ body }) => ({ routingKey: queue, body })))
      await deleteAudits(
        db,
        waiting.map(({ id }) => id),
      )
      return 0
    },
  })
  return {
    wake: loop.wake,
    stop: async () => {
      await loop.stop()
      await publisher.close()
    },
  }
}
