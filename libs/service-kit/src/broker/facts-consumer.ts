import type { DomainEvent, LogEntry, PayloadOf } from '@tms/contracts'
import type { Logger } from '../log.ts'
import { inTransaction, type Pool, type Tx } from '../postgres/pool.ts'
import type { Broker } from './connection.ts'
import { createLogReader } from './log-reader.ts'
import { judgeSequence } from './sequence.ts'

/** What a service does when another tells it something. */
export interface Reaction {
  readonly event: string
  readonly apply: (tx: Tx, payload: never, entry: LogEntry) => Promise<void>
}

/** Pairs an event with what to do; the payload's type follows from the event. */
export function reactTo<E extends DomainEvent>(
  event: E,
  apply: (tx: Tx, payload: PayloadOf<E>, entry: LogEntry) => Promise<void>,
): Reaction {
  return { event: event.name, apply }
}

/**
 * Keeps a projection current: reads the facts stream and applies each event together with its position in
 * one transaction, so a crash neither repeats nor skips one. Every replica reads; the position's row lock
 * lets one of them apply an event, and the others find it done.
 */
export function startFactsConsumer(options: {
  broker: Broker
  queue: string
  db: Pool
  log: Logger
  reactions: readonly Reaction[]
}): { stop(): Promise<void> } {
  const { broker, queue, db, log } = options
  const reactions = new Map(options.reactions.map((reaction) => [reaction.event, reaction]))
  /** The last place applied of each stream, as far as this replica knows: saves asking for what is behind. */
  const known = new Map<string, number>()
  /** Streams met since reading began at the oldest entry. */
  const met = new Set<string>()
  const reader = createLogReader({
    broker,
    queue,
    log,
    onEntry: async ({ offset, body }) => {
      const entry = JSON.parse(body) as LogEntry
      // Nothing older can come: what is missing before it has outlived the stream, and the owners' listings
      // make up for it.
      const isOldest = !met.has(entry.stream)
      met.add(entry.stream)
      if (entry.seq <= (known.get(entry.stream) ?? -1)) return
      const reaction = reactions.get(entry.event)
      const position = await inTransaction(db, async (tx) => {
        const position = await lockPosition(tx, entry.stream)
        const verdict = judgeSequence(position, entry.seq)
        if (verdict === 'gap')
          log.warn({ offset, stream: entry.stream, seq: entry.seq }, 'entry is ahead of its stream')
        if (verdict === 'repeated' || (verdict === 'gap' && !isOldest)) return position
        await reaction?.apply(tx, entry.payload as never, entry)
        await savePosition(tx, entry.stream, entry.seq)
        return entry.seq
      })
      // Only once it is committed: what fails comes again.
      if (position !== undefined) known.set(entry.stream, position)
    },
  })
  // From the oldest entry: what was applied before is recognised by its place and passed over. On every new
  // connection, since the stream may have been lost and begun anew.
  broker.onConnected(() => {
    met.clear()
    reader.seek('first')
  })
  return { stop: reader.close }
}

async function lockPosition(tx: Tx, stream: string): Promise<number | undefined> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('projection'), hashtext($1))`, [stream])
  const { rows } = await tx.query<{ seq: number }>('select seq from projection_position where stream = $1', [
    stream,
  ])
  return rows[0]?.seq
}

async function savePosition(tx: Tx, stream: string, seq: number): Promise<void> {
  await tx.query(
    `insert into projection_position (stream, seq) values ($1, $2)
     on conflict (stream) do update set seq = excluded.seq`,
    [stream, seq],
  )
}
