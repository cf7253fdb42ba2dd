import type { DomainEvent, LogEntry, PayloadOf } from '@tms/contracts'
import type { Registry } from 'prom-client'
import type { Logger } from '../log.ts'
import { Gauge } from '../metrics.ts'
import { inTransaction, type Pool, type Tx } from '../postgres/pool.ts'
import { inSpanOf, SpanKind } from '../tracing/tracer.ts'
import type { Broker } from './connection.ts'
import { createLogReader } from './log-reader.ts'
import { judgeSequence } from './sequence.ts'

/** What a service does when another tells it something. */
export interface DomainEventHandler {
  readonly event: string
  readonly apply: (tx: Tx, payload: never, entry: LogEntry) => Promise<void>
}

/** Pairs an event with what to do; the payload's type follows from the event. */
export function onDomainEvent<E extends DomainEvent>(
  event: E,
  apply: (tx: Tx, payload: PayloadOf<E>, entry: LogEntry) => Promise<void>,
): DomainEventHandler {
  return { event: event.name, apply }
}

const CONSUMING = { kind: SpanKind.CONSUMER, attributes: { 'messaging.operation.type': 'process' } }

export interface ProjectionConsumer {
  /** Up to where this replica has read the stream on its present connection; -1 before the first entry. */
  readonly offset: () => number
  stop(): Promise<void>
}

/**
 * Keeps a projection current: reads the facts stream and applies each event together with its position in
 * one transaction, so a crash neither repeats nor skips one. Every replica reads; the position's row lock
 * lets one of them apply an event, and the others find it done.
 */
export function startProjectionConsumer(options: {
  broker: Broker
  queue: string
  db: Pool
  log: Logger
  metrics: Registry
  reactions: readonly DomainEventHandler[]
}): ProjectionConsumer {
  const { broker, queue, db, log, metrics } = options
  const reactions = new Map(options.reactions.map((reaction) => [reaction.event, reaction]))
  /** The last place applied of each stream, as far as this replica knows: saves asking for what is behind. */
  const applied = new Map<string, number>()
  /** Up to which place this replica has met each stream's entries one by one, since it began at the oldest. */
  const met = new Map<string, number>()
  let readTo = -1

  /** Applies an entry unless that was done; its position is where all before it are known to be done. */
  const apply = (reaction: DomainEventHandler, entry: LogEntry): Promise<number> =>
    inTransaction(db, async (tx) => {
      const position = await lockPosition(tx, entry.stream)
      if (position !== undefined && entry.seq <= position) return position
      await reaction.apply(tx, entry.payload as never, entry)
      await savePosition(tx, entry.stream, entry.seq)
      return entry.seq
    })

  // From the oldest entry: what was applied before is recognised by its place and passed over.
  const beginAnew = () => {
    met.clear()
    readTo = -1
    reader.seek('first')
  }
  const reader = createLogReader({
    broker,
    queue,
    log,
    onDeleted: () => beginAnew(),
    onEntry: async ({ offset, body, traceparent, confirmed }) => {
      const entry = JSON.parse(body) as LogEntry
      const { stream, seq } = entry
      // Nothing older can come than the first that is met: what is missing before it has outlived the stream,
      // and the owners' listings make up for it.
      const verdict = judgeSequence(met.get(stream), seq, confirmed)
      if (verdict === 'gap') log.warn({ offset, stream, seq }, 'entry is ahead of its stream')
      if (verdict === 'take') {
        const reaction = reactions.get(entry.event)
        // What nobody here reacts to costs nothing, or whoever has much to tell would keep itself from listening.
        if (reaction && seq > (applied.get(stream) ?? -1)) {
          const take = () => apply(reaction, entry)
          applied.set(stream, await inSpanOf(traceparent, `process ${entry.event}`, CONSUMING, take))
        }
        // Only once it is committed: what fails comes again.
        met.set(stream, seq)
      }
      readTo = offset
    },
  })
  new Gauge({
    name: 'projections_stalled_seconds',
    help: 'How long this replica has not been able to read what other services tell, or to apply the next of it; 0: it goes on.',
    registers: [metrics],
    collect() {
      const since = reader.stalledSince()
      this.set(since === null ? 0 : (Date.now() - since) / 1000)
    },
  })
  // The stream may have been lost and begun anew while nobody was connected.
  const stopListening = broker.onConnected(beginAnew)
  return {
    offset: () => readTo,
    stop: () => {
      stopListening()
      return reader.close()
    },
  }
}

async function lockPosition(tx: Tx, stream: string): Promise<number | undefined> {
  const find = () =>
    tx.query<{ seq: number }>('select seq from projection_position where stream = $1 for update', [stream])
  const { rows } = await find()
  if (rows[0]) return rows[0].seq
  // There is no row yet that could be locked.
  await tx.query(`select pg_advisory_xact_lock(hashtext('projection'), hashtext($1))`, [stream])
  const { rows: meanwhile } = await find()
  return meanwhile[0]?.seq
}

async function savePosition(tx: Tx, stream: string, seq: number): Promise<void> {
  await tx.query(
    `insert into projection_position (stream, seq) values ($1, $2)
     on conflict (stream) do update set seq = excluded.seq`,
    [stream, seq],
  )
}
