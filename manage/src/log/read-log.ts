import type { LogEntry } from '@tms/contracts'
import {
  connectBroker,
  createLog,
  type RawEntry,
  readLogRange,
  type StreamAccess,
  splitUrls,
  topologyOf,
} from '@tms/service-kit'
import { readTls, readVariables } from '../environment.ts'
import { messageOf, UnavailableError } from '../failures.ts'
import { findLogEnd } from './find-log-end.ts'

/** A broker on the way takes a second; too small says that one is away which is only busy. */
const CONNECT_MS = 5_000
/** Entries that are read at once: too few ask the broker for each handful anew, too many keep who interrupts from them. */
const STRETCH = 2_000

/** What of the log to read. */
export interface LogSpan {
  /** An offset, or the oldest or the newest that are as wanted. */
  readonly from: number | 'first' | 'last'
  readonly limit: number
  /** Name of events; null is all. */
  readonly event: string | null
  /** Organization; null is all. */
  readonly realmId: number | null
}

/** An entry and where it stands. */
export type LoggedEntry = LogEntry & { readonly offset: number }

interface Watching {
  /** What was found until it is aborted is returned. */
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

/**
 * Reads entries of the log, as it is now: what is written later doesn't come along. Returns them oldest first. Throws when
 * the broker is away or becomes so, and when it has no log.
 */
export async function readLog(
  env: NodeJS.ProcessEnv,
  span: LogSpan,
  { signal, onProgress }: Watching,
): Promise<LoggedEntry[]> {
  const { RABBITMQ_URL, NAMESPACE } = readVariables(env, ['RABBITMQ_URL', 'NAMESPACE'])
  const log = createLog('manage', 'silent')
  // Declares nothing: whoever only looks leaves no trace on a broker that isn't the installation's.
  const broker = connectBroker(RABBITMQ_URL, log, async () => {}, readTls(env))
  const queue = topologyOf(NAMESPACE).log
  const found: LoggedEntry[] = []
  const work = async (): Promise<void> => {
    await connected(broker, RABBITMQ_URL)
    const end = await findLogEnd({ broker, queue, log })
    const read = span.from === 'last' ? readNewest : readOnward
    for await (const at of read({ broker, queue, log }, end, span, found)) {
      if (signal.aborted) return
      onProgress(`Looked at the log up to offset ${at} of ${end}, found ${found.length}`)
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

/** Adds to `found` what comes from where it shall begin, and tells how far it is. */
async function* readOnward(
  stream: StreamAccess,
  end: number,
  span: LogSpan,
  found: LoggedEntry[],
): AsyncGenerator<number> {
  let next = typeof span.from === 'number' ? span.from : 0
  while (next <= end && found.length < span.limit) {
    const entries = await stretchOf(stream, next, end)
    found.push(...wantedOf(entries, span).slice(0, span.limit - found.length))
    // All may have become too old meanwhile.
    next = (entries.at(-1)?.offset ?? end) + 1
    yield next - 1
  }
}

/** Adds to `found` what comes before its end, stretch by stretch, until there are enough; tells how far it is. */
async function* readNewest(
  stream: StreamAccess,
  newest: number,
  span: LogSpan,
  found: LoggedEntry[],
): AsyncGenerator<number> {
  let end = newest
  while (end >= 0 && found.length < span.limit) {
    const first = Math.max(0, end - STRETCH + 1)
    const entries = await stretchOf(stream, first, end)
    found.unshift(...wantedOf(entries, span).slice(found.length - span.limit))
    // Where the stretch begins later, or not at all, the log does.
    end = entries[0]?.offset === first ? first - 1 : -1
    yield first
  }
}

async function stretchOf(stream: StreamAccess, first: number, end: number): Promise<RawEntry[]> {
  return readLogRange(stream, { first, end }, STRETCH).catch((cause: unknown) => {
    throw new UnavailableError(`RabbitMQ no longer hands out the log, at offset ${first} of ${end}`, {
      cause,
    })
  })
}

function wantedOf(entries: readonly RawEntry[], { event, realmId }: LogSpan): LoggedEntry[] {
  return entries
    .map(({ offset, body }) => ({ offset, ...(JSON.parse(body) as LogEntry) }))
    .filter(
      (entry) => (event ?? entry.event) === entry.event && (realmId ?? entry.realm_id) === entry.realm_id,
    )
}

function connected(broker: ReturnType<typeof connectBroker>, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const hosts = splitUrls(url).map((each) => new URL(each).host)
    const away = (cause: unknown) => {
      const why = cause === undefined ? '' : `: ${messageOf(cause)}`
      return new UnavailableError(`RabbitMQ can not be reached at ${hosts.join(', ')}${why}`, { cause })
    }
    const timer = setTimeout(() => {
      broker.check().then(resolve, ({ cause }: Error) => reject(away(cause)))
    }, CONNECT_MS)
    broker.onConnected(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
