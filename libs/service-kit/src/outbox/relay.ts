import type { Registry } from 'prom-client'
import type { Broker } from '../broker/connection.ts'
import { createPublisher } from '../broker/publisher.ts'
import type { Logger } from '../log.ts'
import { startLoop } from '../loop.ts'
import { Counter, Gauge } from '../metrics.ts'
import type { Pool } from '../postgres/pool.ts'
import { publishTraced } from '../tracing/publish-traced.ts'
import { within } from '../within.ts'
import {
  ageOfOldest,
  type ClaimedEvent,
  claimLease,
  claimNext,
  countWaiting,
  hasUnclaimed,
  listClaimed,
  releaseLease,
  renewLease,
} from './relay.queries.ts'

/** A holder that dies is replaced after this; too small loses the lease to a pause of the process. */
export const LEASE_MS = 2_000
const RENEW_MS = 500
/**
 * A payload may have a megabyte or two, and a batch is in memory several times over: too many bytes are more than the heap
 * when the broker comes back, which no successor could read either; too few cost a transaction for each large event.
 */
const BATCH = { limit: 500, bytes: 8 * 1024 ** 2 }
/** Other replicas' commits don't wake this one, so it looks: soon after traffic, less often when idle. */
const POLL_MIN_MS = 3
const POLL_MAX_MS = 25
/** Looking costs a few hundredths of a core, for nothing where nothing happens: then it is enough that nobody notices. */
const POLL_QUIET_MS = 100
const QUIET_AFTER_MS = 5_000
/** Waiting events are counted up to here: a broker that was away for hours has many. */
const MAX_COUNTED = 100_000
/** How often a replica without the lease tries to take it. */
const STANDBY_MS = 250

export interface OutboxRelay {
  /** Call right after a commit that wrote to the outbox. */
  wake(): void
  /** How long it has been at the same thing: passing events on, or having the lease looked at; a moment where it is well. */
  stalledMs(): number
  stop(): Promise<void>
}

/**
 * Publishes the outbox of one database in order. One replica does it at a time, by lease. A place in the
 * stream (`seq`) is given under the lease's row lock and never changes, and everything is published from
 * the first unconfirmed place on, so a consumer that takes only successors sees each event exactly once
 * and in order, even while a holder that has lost its lease still publishes.
 */
export function startOutboxRelay(options: {
  source: string
  db: Pool
  broker: Broker
  exchange: string
  log: Logger
  metrics: Registry
}): OutboxRelay {
  const { source, db, broker, exchange, log, metrics } = options
  const publisher = createPublisher(broker, exchange)
  const published = new Counter({
    name: 'outbox_published_total',
    help: 'Domain events that the broker confirmed.',
    registers: [metrics],
  })
  new Gauge({
    name: 'outbox_relay_active',
    help: '1 on the replica that relays the outbox; 0 also where a lease that could not be renewed has run out.',
    registers: [metrics],
    collect() {
      this.set(token !== null && performance.now() < leasedUntil ? 1 : 0)
    },
  })
  new Gauge({
    name: 'outbox_relay_stalled_seconds',
    help: 'How long the relay of this replica has not got on, by its own clock: it waits for PostgreSQL or RabbitMQ, or they refuse it.',
    registers: [metrics],
    collect() {
      this.set(stalledMs() / 1000)
    },
  })
  new Gauge({
    name: 'outbox_waiting_events',
    help: 'Domain events that the broker has yet to confirm, on the replica that relays; 100000 stands for more.',
    registers: [metrics],
    async collect() {
      // Without the database there is nothing to say of it, and all the rest to be said.
      this.set(token === null ? 0 : await known(countWaiting(db, MAX_COUNTED)))
    },
  })
  new Gauge({
    name: 'outbox_lag_seconds',
    help: 'How long the oldest domain event waits that the broker has yet to confirm, as every replica sees it.',
    registers: [metrics],
    async collect() {
      // The one that relays may be the one that hangs.
      this.set(await known(ageOfOldest(db)))
    },
  })

  let token: number | null = null
  /** Until then no other takes the lease, by this process's clock: it began before the server's. */
  let leasedUntil = 0
  let renewedAt = 0
  let gotOnAt = performance.now()
  const stalledMs = () => performance.now() - gotOnAt
  let unconfirmed: ClaimedEvent[] = []
  /**
   * Something may be claimed that `unconfirmed` lacks: by an earlier holder, or by a claim that was done and whose answer was
   * lost. Whoever claimed on would publish a gap, behind which no consumer takes anything.
   */
  let isUnsure = true
  let confirmedSeq = 0
  let pollMs = POLL_MIN_MS
  /** When there was last something to publish. */
  let busyAt = 0
  /** A commit of this replica is waiting: claiming at once saves asking whether there is anything. */
  let isWoken = false

  const takeOver = async (): Promise<boolean> => {
    const askedAt = performance.now()
    token = await claimLease(db, LEASE_MS)
    if (token === null) return false
    renewedAt = askedAt
    leasedUntil = askedAt + LEASE_MS
    confirmedSeq = 0
    isUnsure = true
    log.info({ token }, 'outbox relay took over')
    return true
  }

  /** The next batch of what is claimed; there was nothing else once there is none. */
  const recall = async () => {
    unconfirmed = await listClaimed(db, { ...BATCH, source, afterSeq: confirmedSeq })
    isUnsure = unconfirmed.length > 0
    if (unconfirmed.length > 0) log.info({ unconfirmed: unconfirmed.length }, 'outbox relay publishes again')
  }

  const lose = () => {
    token = null
    unconfirmed = []
    log.info('outbox relay lost its lease')
  }

  const publishClaimed = async () => {
    const confirmed = (unconfirmed[0]?.seq ?? 1) - 1
    try {
      await publishTraced(
        publisher,
        unconfirmed.map(({ event, body, traceparent }) => ({
          routingKey: event,
          body,
          traceparent,
          confirmed,
        })),
      )
    } catch (err) {
      // It has taken its time: another may hold the lease by now.
      renewedAt = Number.NEGATIVE_INFINITY
      throw err
    }
    published.inc(unconfirmed.length)
    confirmedSeq = unconfirmed.at(-1)?.seq ?? confirmedSeq
    unconfirmed = []
  }

  /** Passes on what there is, a batch at most; returns how long to wait. */
  const goOn = async (): Promise<number> => {
    if (token === null && !(await takeOver())) return STANDBY_MS
    if (token === null) return STANDBY_MS
    // Keeping the lease while the broker is away keeps one clear publisher for when it is back.
    if (performance.now() - renewedAt > RENEW_MS) {
      const askedAt = performance.now()
      if (!(await renewLease(db, token, LEASE_MS))) {
        lose()
        return STANDBY_MS
      }
      renewedAt = askedAt
      leasedUntil = askedAt + LEASE_MS
    }
    if (isUnsure && unconfirmed.length === 0) await recall()
    if (unconfirmed.length > 0) await publishClaimed()
    if (isUnsure) return 0
    const wasWoken = isWoken
    isWoken = false
    if (confirmedSeq === 0 && !wasWoken && !(await hasUnclaimed(db))) {
      const isQuiet = Date.now() - busyAt > QUIET_AFTER_MS
      pollMs = Math.min(isQuiet ? POLL_QUIET_MS : POLL_MAX_MS, pollMs * 1.3)
      return pollMs
    }
    isUnsure = true
    const askedAt = performance.now()
    const claimed = await claimNext(db, {
      ...BATCH,
      source,
      token,
      confirmedSeq,
      leaseMs: LEASE_MS,
    })
    if (claimed === null) {
      lose()
      return STANDBY_MS
    }
    renewedAt = askedAt
    leasedUntil = askedAt + LEASE_MS
    confirmedSeq = 0
    isUnsure = false
    if (claimed.length === 0) return pollMs
    unconfirmed = claimed
    pollMs = POLL_MIN_MS
    busyAt = Date.now()
    await publishClaimed()
    return 0
  }

  const loop = startLoop({
    name: 'outbox relay',
    log,
    retryMs: RENEW_MS,
    round: async () => {
      const waitMs = await goOn()
      gotOnAt = performance.now()
      return waitMs
    },
  })

  return {
    wake: () => {
      if (token === null) return
      isWoken = true
      loop.wake()
    },
    stalledMs,
    stop: async () => {
      await loop.stop()
      if (token !== null) await releaseLease(db, token).catch(() => {})
      await publisher.close()
    },
  }
}

/** A figure that the database doesn't tell by then is none: what else there is to say isn't held up by it. */
const FIGURE_MS = 2_000

const known = (figure: Promise<number>): Promise<number> =>
  within(FIGURE_MS, 'not known in time', figure).catch(() => Number.NaN)
