import type { Registry } from 'prom-client'
import type { Broker } from '../broker/connection.ts'
import { publishTraced } from '../broker/publish-traced.ts'
import { createPublisher } from '../broker/publisher.ts'
import { routingKeyOf } from '../broker/topology.ts'
import { startLoop } from '../lifecycle/loop.ts'
import type { Pool } from '../postgres/pool.ts'
import type { Logger } from '../telemetry/log.ts'
import { Counter, Gauge } from '../telemetry/metrics.ts'
import { startAuditRelay } from './audit-relay.ts'
import { orUnknown } from './figure.ts'
import {
  type ClaimedEvent,
  claimLease,
  claimNext,
  countWaiting,
  findOldestAge,
  hasUnclaimed,
  listClaimed,
  releaseLease,
  renewLease,
} from './relay.queries.ts'
import { restAfter } from './rest-after.ts'

/** A holder that dies is replaced after this; too small loses the lease to a pause of the process. */
export const LEASE_MS = 2_000
const RENEW_MS = 500
/**
 * A payload may have a megabyte or two, and a batch is in memory several times. Too many bytes exceed the heap when
 * the broker comes back, for every successor too; too few cost a transaction for each large event.
 */
const BATCH = { limit: 500, bytes: 8 * 1024 ** 2 }
/** Commits of other replicas don't wake this one, so it polls: soon after it found some, less often afterwards. */
const POLL_MIN_MS = 3
const POLL_MAX_MS = 25
/** Polling costs a few hundredths of a core. When no other replica writes, a delay that nobody notices is enough. */
const POLL_QUIET_MS = 100
const QUIET_AFTER_MS = 5_000
/** Waiting events are counted up to here: after hours without the broker there are many. */
const MAX_COUNTED = 100_000
/** How often a replica without the lease tries to take it. */
const STANDBY_MS = 250

/** Whether a batch was probably cut by its limits, and more waits. */
const isFull = (batch: readonly ClaimedEvent[]): boolean =>
  batch.length >= BATCH.limit || batch.reduce((sum, { body }) => sum + body.length, 0) > BATCH.bytes / 2

export interface OutboxRelay {
  /** The pool's `markPublished` calls it right after a commit that wrote to the outbox. */
  wake(): void
  /** How long it has been at the same step: publishing, or checking the lease; a moment if all is well. */
  stalledMs(): number
  stop(): Promise<void>
}

/**
 * Publishes the outbox of one database in order. One replica does it at a time, by lease. A sequence number (`seq`)
 * is assigned under the lease's row lock and never changes, and everything is published from the first unconfirmed
 * number on. So a consumer that takes only successors gets each event exactly once and in order, even while a holder
 * that has lost its lease still publishes.
 */
export function startOutboxRelay(options: {
  source: string
  db: Pool
  broker: Broker
  exchange: string
  /** The stream of entries of the audit log. */
  auditQueue: string
  log: Logger
  metrics: Registry
}): OutboxRelay {
  const { source, db, broker, exchange, auditQueue, log, metrics } = options
  const publisher = createPublisher(broker, exchange)
  const published = new Counter({
    name: 'outbox_published_total',
    help: 'Domain events that the broker confirmed.',
    registers: [metrics],
  })
  new Gauge({
    name: 'outbox_relay_active',
    help: '1 on the replica that relays the outbox; 0 also if its lease could not be renewed and has expired.',
    registers: [metrics],
    collect() {
      this.set(token !== null && performance.now() < leasedUntil ? 1 : 0)
    },
  })
  new Gauge({
    name: 'outbox_relay_stalled_seconds',
    help: 'How long the relay of this replica has made no progress, by its own clock: it waits for PostgreSQL or RabbitMQ, or they refuse it.',
    registers: [metrics],
    collect() {
      this.set(stalledMs() / 1000)
    },
  })
  new Gauge({
    name: 'outbox_waiting_events',
    help: 'Domain events that the broker has yet to confirm, on the replica that relays; 100000 means that or more.',
    registers: [metrics],
    async collect() {
      // Without the database this metric is unknown, and the others are still reported.
      this.set(token === null ? 0 : await orUnknown(countWaiting(db, MAX_COUNTED)))
    },
  })
  new Gauge({
    name: 'outbox_lag_seconds',
    help: 'Age of the oldest domain event that the broker has yet to confirm; every replica reports it.',
    registers: [metrics],
    async collect() {
      // Reported by all replicas, since the one that relays may hang.
      this.set(await orUnknown(findOldestAge(db)))
    },
  })

  let token: number | null = null
  /** No other replica takes the lease before this, by this process's clock, which started earlier than the server's. */
  let leasedUntil = 0
  let renewedAt = 0
  let progressedAt = performance.now()
  const stalledMs = () => performance.now() - progressedAt
  let unconfirmed: ClaimedEvent[] = []
  /**
   * Events may be claimed that `unconfirmed` lacks: by an earlier holder, or by a claim whose answer was lost.
   * Claiming on would publish a gap, after which consumers take nothing.
   */
  let mayHaveClaimed = true
  let confirmedSeq = 0
  /** Everything up to here is certainly deleted. */
  let deletedSeq = 0
  let pollMs = POLL_MIN_MS
  /** When polling last found something to publish, which another replica must have committed. */
  let foundAt = 0
  /** Nothing is claimed before this, by the clock of `performance.now()`. */
  let restsUntil = 0
  /** A commit of this replica is waiting: claiming at once saves a check. */
  let isWoken = false

  const forgetProgress = () => {
    confirmedSeq = 0
    deletedSeq = 0
    mayHaveClaimed = true
  }

  const takeOver = async (): Promise<boolean> => {
    const requestedAt = performance.now()
    token = await claimLease(db, LEASE_MS)
    if (token === null) return false
    renewedAt = requestedAt
    leasedUntil = requestedAt + LEASE_MS
    forgetProgress()
    log.info({ token }, 'outbox relay took over')
    return true
  }

  /** Loads the next batch of claimed events; when there is none, everything claimed is known. */
  const loadClaimed = async () => {
    unconfirmed = await listClaimed(db, { ...BATCH, source, afterSeq: confirmedSeq })
    mayHaveClaimed = unconfirmed.length > 0
    if (unconfirmed.length > 0) log.info({ unconfirmed: unconfirmed.length }, 'outbox relay publishes again')
  }

  const dropLease = () => {
    token = null
    unconfirmed = []
    log.info('outbox relay lost its lease')
  }

  const publishClaimed = async () => {
    const confirmed = (unconfirmed[0]?.seq ?? 1) - 1
    try {
      await publishTraced(
        publisher,
        unconfirmed.map(({ event, realmId, body, traceparent }) => ({
          routingKey: routingKeyOf(event, realmId),
          name: event,
          body,
          traceparent,
          confirmed,
        })),
      )
    } catch (err) {
      // Publishing took its time: another replica may have the lease by now.
      renewedAt = Number.NEGATIVE_INFINITY
      throw err
    }
    published.inc(unconfirmed.length)
    confirmedSeq = unconfirmed.at(-1)?.seq ?? confirmedSeq
    unconfirmed = []
  }

  /** Publishes one batch at most; returns how long to wait. */
  const relayBatch = async (): Promise<number> => {
    if (token === null && !(await takeOver())) return STANDBY_MS
    if (token === null) return STANDBY_MS
    // Renewing the lease while the broker is unavailable leaves one clear publisher for when it is back.
    if (performance.now() - renewedAt > RENEW_MS) {
      const requestedAt = performance.now()
      if (!(await renewLease(db, token, LEASE_MS))) {
        dropLease()
        return STANDBY_MS
      }
      renewedAt = requestedAt
      leasedUntil = requestedAt + LEASE_MS
    }
    if (mayHaveClaimed && unconfirmed.length === 0) await loadClaimed()
    if (unconfirmed.length > 0) await publishClaimed()
    if (mayHaveClaimed) return 0
    const restMs = restsUntil - performance.now()
    if (restMs > 0) return restMs
    const wasWoken = isWoken
    isWoken = false
    if (confirmedSeq === 0 && !wasWoken && !(await hasUnclaimed(db))) {
      const isQuiet = Date.now() - foundAt > QUIET_AFTER_MS
      pollMs = Math.min(isQuiet ? POLL_QUIET_MS : POLL_MAX_MS, pollMs * 1.3)
      return pollMs
    }
    const requestedAt = performance.now()
    const claimed = await claimNext(db, {
      ...BATCH,
      source,
      token,
      deletedSeq,
      confirmedSeq,
      leaseMs: LEASE_MS,
    })
    if (claimed === null) {
      dropLease()
      return STANDBY_MS
    }
    renewedAt = requestedAt
    leasedUntil = requestedAt + LEASE_MS
    // All numbers before a new one are deleted; it may be a low one, if this is a server that lacks the latest commits.
    if (claimed[0]) deletedSeq = claimed[0].seq - 1
    else if (confirmedSeq > 0) deletedSeq = confirmedSeq
    confirmedSeq = 0
    if (claimed.length === 0) return pollMs
    unconfirmed = claimed
    if (claimed.some(({ isAudited }) => isAudited)) auditRelay.wake()
    if (!wasWoken) {
      pollMs = POLL_MIN_MS
      foundAt = Date.now()
    }
    await publishClaimed()
    const now = performance.now()
    restsUntil = now + restAfter(claimed.length, now - requestedAt, isFull(claimed))
    // The next claim deletes these. If it comes for other events, that costs no commit.
    return isFull(claimed) ? 0 : Math.min(pollMs, POLL_MAX_MS)
  }

  const loop = startLoop({
    name: 'outbox relay',
    log,
    retryMs: RENEW_MS,
    round: async () => {
      try {
        const waitMs = await relayBatch()
        progressedAt = performance.now()
        return waitMs
      } catch (err) {
        // The next answer may come from a server that lacks the latest commits, and gives numbers again.
        forgetProgress()
        throw err
      }
    },
  })
  const auditRelay = startAuditRelay({
    ...{ db, broker, queue: auditQueue, log, metrics },
    isActive: () => token !== null,
  })

  return {
    wake: () => {
      if (token === null) return
      isWoken = true
      loop.wake()
    },
    stalledMs,
    stop: async () => {
      const released = loop.stop().then(async () => {
        if (token !== null) await releaseLease(db, { token, deletedSeq, confirmedSeq }).catch(() => {})
      })
      await Promise.all([released, auditRelay.stop()])
      await publisher.close()
    },
  }
}
