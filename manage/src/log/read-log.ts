import type { LogEntry } from '@tms/contracts'
import { type RawEntry, readLogRange, type StreamAccess, topologyOf } from '@tms/service-kit'
import { UnavailableError } from '../kernel/errors.ts'
import { findLogEnd } from './find-log-end.ts'
import { openBroker } from './open-broker.ts'

/** Entries per read: fewer mean more requests, more delay the result of an interruption. */
const RANGE_SIZE = 2_000

/** Which entries of the log to read. */
export interface LogQuery {
  /** An offset, the oldest or the newest matching entries. */
  readonly from: number | 'first' | 'last'
  readonly limit: number
  /** Name of an event; null for all. */
  readonly event: string | null
  /** ID of an organization; null for all. */
  readonly realmId: number | null
}

/** An entry and its offset. */
export type LoggedEntry = LogEntry & { readonly offset: number }

interface ReadOptions {
  /** Aborting it returns the entries found so far. */
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

/**
 * Reads entries of the log up to its present end, and returns them oldest first. Throws if the broker is or becomes
 * unavailable, or has no log.
 */
export async function readLog(
  env: NodeJS.ProcessEnv,
  query: LogQuery,
  { signal, onProgress }: ReadOptions,
): Promise<LoggedEntry[]> {
  const { broker, namespace, log, connected } = openBroker(env)
  const queue = topologyOf(namespace).log
  const found: LoggedEntry[] = []
  const work = async (): Promise<void> => {
    await connected()
    const end = await findLogEnd({ broker, queue, log })
    const read = query.from === 'last' ? readBackward : readForward
    for await (const at of read({ broker, queue, log }, end, query, found)) {
      if (signal.aborted) return
      onProgress(`Searched the log at offset ${at} of ${end}, found ${found.length}`)
    }
  }
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  try {
    await Promise.race([work(), aborted])
    return found
  } finally {
    void broker.close()
  }
}

/** Adds matching entries to `found`, from the first offset on. Yields the offset reached. */
async function* readForward(
  stream: StreamAccess,
  end: number,
  query: LogQuery,
  found: LoggedEntry[],
): AsyncGenerator<number> {
  let next = typeof query.from === 'number' ? query.from : 0
  while (next <= end && found.length < query.limit) {
    const entries = await readRange(stream, next, end)
    found.push(...filterEntries(entries, query).slice(0, query.limit - found.length))
    // Retention may have removed the whole range meanwhile.
    next = (entries.at(-1)?.offset ?? end) + 1
    yield next - 1
  }
}

/** Adds matching entries to `found`, range by range from the end backwards, until there are enough. Yields the offset reached. */
async function* readBackward(
  stream: StreamAccess,
  newest: number,
  query: LogQuery,
  found: LoggedEntry[],
): AsyncGenerator<number> {
  let end = newest
  while (end >= 0 && found.length < query.limit) {
    const first = Math.max(0, end - RANGE_SIZE + 1)
    const entries = await readRange(stream, first, end)
    found.unshift(...filterEntries(entries, query).slice(found.length - query.limit))
    // A range that begins later, or is empty, contains the log's beginning.
    end = entries[0]?.offset === first ? first - 1 : -1
    yield first
  }
}

async function readRange(stream: StreamAccess, first: number, end: number): Promise<RawEntry[]> {
  return readLogRange(stream, { first, end }, RANGE_SIZE).catch((cause: unknown) => {
    throw new UnavailableError(`RabbitMQ stopped delivering the log at offset ${first} of ${end}`, {
      cause,
    })
  })
}

function filterEntries(entries: readonly RawEntry[], { event, realmId }: LogQuery): LoggedEntry[] {
  return entries
    .map(({ offset, body }) => ({ offset, ...(JSON.parse(body) as LogEntry) }))
    .filter(
      (entry) => (event ?? entry.event) === entry.event && (realmId ?? entry.realm_id) === entry.realm_id,
    )
}
