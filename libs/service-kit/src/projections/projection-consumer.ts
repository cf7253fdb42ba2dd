import type { DomainEvent, LogEntry, PayloadOf } from '@tms/contracts'
import type { Registry } from 'prom-client'
import type { Broker } from '../broker/connection.ts'
import { createLogReader } from '../broker/log-reader.ts'
import { judgeSequence } from '../broker/sequence.ts'
import { reportStalledReader } from '../broker/stalled-reader.ts'
import { kitLocks } from '../postgres/kit-locks.ts'
import type { Pool } from '../postgres/pool.ts'
import { type Tx, transact } from '../postgres/transaction.ts'
import type { Logger } from '../telemetry/log.ts'
import { inSpanOf, SpanKind } from '../telemetry/tracer.ts'

/** What a service does when it receives an event of another service. */
export interface DomainEventHandler {
  readonly event: string
  readonly apply: (tx: Tx, payload: never, entry: LogEntry) => Promise<void>
}

/** Pairs an event with its handler; the payload's type follows from the event. */
export function onDomainEvent<E extends DomainEvent>(
  event: E,
  apply: (tx: Tx, payload: PayloadOf<E>, entry: LogEntry) => Promise<void>,
): DomainEventHandler {
  return { event: event.name, apply }
}

const CONSUMING = { kind: SpanKind.CONSUMER, attributes: { 'messaging.operation.type': 'process' } }

export interface ProjectionConsumer {
  /** Offset up to which this replica has read the stream on its current connection; -1 before the first entry. */
  readonly offset: () => number
  stop(): Promise<void>
}

/**
 * Feeds a service's projections with the events of the projections stream. One transaction applies an event and saves
 * its sequence number, so a crash neither repeats nor skips it. Every replica reads the stream. The lock of the
 * producer's row in `projection_position` lets one replica apply an event; the others then skip it.
 */
export function startProjectionConsumer(options: {
  broker: Broker
  queue: string
  db: Pool
  log: Logger
  metrics: Registry
  handlers: readonly DomainEventHandler[]
}): ProjectionConsumer {
  const { broker, queue, db, log, metrics } = options
  const handlersByEvent = new Map(options.handlers.map((handler) => [handler.event, handler]))
  /** Last sequence number known to be applied, by stream: saves a query for entries behind it. */
  const applied = new Map<string, number>()
  /** Last sequence number read, by stream, since this replica began at the oldest entry. */
  const lastRead = new Map<string, number>()
  let readOffset = -1

  /** Applies an entry unless it was applied already. Returns the sequence number up to which everything is applied. */
  const apply = (handler: DomainEventHandler, entry: LogEntry): Promise<number> =>
    transact(db, async (tx) => {
      const position = await lockPosition(tx, entry.stream)
      if (position !== undefined && entry.seq <= position) return position
      await handler.apply(tx, entry.payload as never, entry)
      await savePosition(tx, entry.stream, entry.seq)
      return entry.seq
    })

  // Starts at the oldest entry: entries that were applied before are recognized by their sequence number and skipped.
  const restart = () => {
    lastRead.clear()
    readOffset = -1
    reader.seek('first')
  }
  const reader = createLogReader({
    broker,
    queue,
    log,
    onDeleted: () => restart(),
    onEntry: async ({ offset, body, traceparent, confirmed }) => {
      const entry = JSON.parse(body) as LogEntry
      const { stream, seq } = entry
      // Nothing older than the first entry can come: earlier entries have expired, and the initial load from the
      // owners covers them.
      const verdict = judgeSequence(lastRead.get(stream), seq, confirmed)
      if (verdict === 'gap') log.warn({ offset, stream, seq }, 'entry is ahead of its stream')
      if (verdict === 'take') {
        const handler = handlersByEvent.get(entry.event)
        // Entries without a handler cost no query. Otherwise a service that publishes much would delay its own
        // reading.
        if (handler && seq > (applied.get(stream) ?? -1)) {
          const take = () => apply(handler, entry)
          applied.set(stream, await inSpanOf(traceparent, `process ${entry.event}`, CONSUMING, take))
        }
        // Only after the commit: an entry that fails comes again.
        lastRead.set(stream, seq)
      }
      readOffset = offset
    },
  })
  reportStalledReader(metrics, 'projections', reader)
  // The stream may have been lost and created again while nobody was connected.
  const stopListening = broker.onConnected(restart)
  return {
    offset: () => readOffset,
    stop: () => {
      stopListening()
      return reader.close()
    },
  }
}

async function lockPosition(tx: Tx, stream: string): Promise<number | undefined> {
  tx.lockRecord.add(kitLocks.projectionPosition, [stream])
  const find = () =>
    tx.query<{ seq: number }>('select seq from projection_position where stream = $1 for update', [stream])
  const { rows } = await find()
  if (rows[0]) return rows[0].seq
  // There is no row to lock yet.
  await tx.query(`select pg_advisory_xact_lock(hashtext('projection'), hashtext($1))`, [stream])
  const { rows: inserted } = await find()
  return inserted[0]?.seq
}

async function savePosition(tx: Tx, stream: string, seq: number): Promise<void> {
  await tx.query(
    `insert into projection_position (stream, seq) values ($1, $2)
     on conflict (stream) do update set seq = excluded.seq`,
    [stream, seq],
  )
}
