import { randomUUID } from 'node:crypto'
import { domainEvents, type LogEntry, type PayloadOf } from '@tms/contracts'
import {
  type Broker,
  createLogReader,
  type Logger,
  type Publisher,
  publishWithoutPlace,
} from '@tms/service-kit'

const { logMarked } = domainEvents.events
/** Too small gives up on a busy broker; too large delays noticing that the log was lost. */
const TIMEOUT_MS = 10_000

/** Where a log is read and written. */
export interface LogAccess {
  readonly broker: Broker
  readonly queue: string
  readonly publisher: Publisher
  readonly log: Logger
}

/**
 * The offset that the log has come to. There is no asking for it, so a marker is written behind a reader of
 * its own, which sees where it lands. Rejects while the broker is away.
 */
export function findLogEnd({ broker, queue, publisher, log }: LogAccess): Promise<number> {
  const marker = randomUUID()
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      void reader.close()
      settle()
    }
    const timer = setTimeout(
      () => finish(() => reject(new Error('the end of the log was not found in time'))),
      TIMEOUT_MS,
    )
    let isWritten = false
    const reader = createLogReader({
      broker,
      queue,
      log,
      onEntry: ({ offset, body }) => {
        if (body.includes(marker) && isMarker(body, marker)) finish(() => resolve(offset))
      },
      onAttached: () => {
        if (isWritten) return
        isWritten = true
        publishWithoutPlace(publisher, logMarked, { marker }, { realmId: 0, requestId: null }).catch(
          (err: unknown) => finish(() => reject(err instanceof Error ? err : new Error(String(err)))),
        )
      },
    })
    reader.seek('next')
  })
}

function isMarker(body: string, marker: string): boolean {
  const entry = JSON.parse(body) as LogEntry
  return entry.event === logMarked.name && (entry.payload as PayloadOf<typeof logMarked>).marker === marker
}
