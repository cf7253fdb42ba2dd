import {
  type AuditedEvent,
  type Broker,
  Counter,
  createLogReader,
  type Logger,
  type Pool,
  type Registry,
  reportStalledReader,
  transact,
} from '@tms/service-kit'
import { findPosition, setAside, storeEntries } from './audit-entry.queries.ts'

/**
 * The stream is read again from so long before what is stored. Clocks of hosts must not differ by more; too much costs a
 * statement for each entry that is stored already.
 */
const MARGIN_MS = 600_000

interface AuditConsumer {
  stop(): Promise<void>
}

interface AuditConsumerOptions {
  readonly broker: Broker
  readonly queue: string
  readonly db: Pool
  readonly log: Logger
  readonly metrics: Registry
}

/**
 * Stores what the stream of the audit log brings. Every replica reads it; an entry is stored once, by the first of them, since
 * it is recognized by its event's number. The position is a time, because a stream that was lost and made again counts from 0.
 */
export function startAuditConsumer({ broker, queue, db, log, metrics }: AuditConsumerOptions): AuditConsumer {
  let isStopped = false
  const countSetAside = new Counter({
    name: 'audit_entries_set_aside_total',
    help: 'Events whose entries of the audit log could not be stored because of what is in them.',
    registers: [metrics],
  })
  const store = async (body: string) => {
    const event = JSON.parse(body) as AuditedEvent
    try {
      await transact(db, (tx) => storeEntries(tx, event))
    } catch (err) {
      if (!isBecauseOfEntry(err)) throw err
      const { realm_id: realmId, stream, seq } = event
      log.error({ err, realmId, event: event.event, stream, seq }, 'entries of the audit log are set aside')
      await transact(db, (tx) => setAside(tx, event, body, String(err)))
      countSetAside.inc()
    }
  }
  const reader = createLogReader({
    broker,
    queue,
    log,
    onDeleted: () => restart(),
    onEntry: ({ body }) => store(body),
  })
  const restart = () => {
    seek().catch((err: unknown) => {
      log.warn({ err }, 'the position in the audit log cannot be read, will be retried')
      if (!isStopped) setTimeout(restart, RETRY_MS).unref()
    })
  }
  const seek = async () => {
    const position = await findPosition(db)
    if (!isStopped) reader.seek(position === null ? 'first' : new Date(position.getTime() - MARGIN_MS))
  }
  reportStalledReader(metrics, 'audit', reader)
  const stopListening = broker.onConnected(restart)
  return {
    stop: () => {
      isStopped = true
      stopListening()
      return reader.close()
    },
  }
}

const RETRY_MS = 1_000

/** SQLSTATE classes of what another attempt doesn't change: data, constraints, and limits of rows and indexes. */
const LASTING = /^(22|23|54)/

const isBecauseOfEntry = (err: unknown): boolean => LASTING.test((err as { code?: string }).code ?? '')
