import type { LogEntry } from '@tms/contracts'
import { connectBroker, createLog, createLogReader, splitUrls, topologyOf } from '@tms/service-kit'
import { readTls, readVariables } from './environment.ts'
import { Away } from './failures.ts'

/** A broker on the way takes a second; too small says that one is away which is only busy. */
const CONNECT_MS = 5_000
/** The log has no end that one could ask for: when nothing more has come for so long, that was it. */
const QUIET_MS = 1_000
/** The first entries take longer to come than each further one. */
const FIRST_MS = 5_000

/** What of the log to read. */
export interface LogSpan {
  readonly from: number | 'first'
  readonly limit: number
  /** Name of events; null is all. */
  readonly event: string | null
  /** Organization; null is all. */
  readonly realmId: number | null
}

/** An entry and where it stands. */
export type LoggedEntry = LogEntry & { readonly offset: number }

/** Reads entries of the log, oldest first, until there are enough or the end has come. Throws when the broker is away. */
export async function readLog(
  env: NodeJS.ProcessEnv,
  { from, limit, event, realmId }: LogSpan,
): Promise<LoggedEntry[]> {
  const { RABBITMQ_URL, NAMESPACE } = readVariables(env, ['RABBITMQ_URL', 'NAMESPACE'])
  const log = createLog('manage', 'silent')
  // Declares nothing: whoever only looks leaves no trace on a broker that isn't the installation's.
  const broker = connectBroker(RABBITMQ_URL, log, async () => {}, readTls(env))
  const found: LoggedEntry[] = []
  try {
    await connected(broker, RABBITMQ_URL)
    await new Promise<void>((resolve) => {
      let timer = setTimeout(resolve, FIRST_MS)
      const reader = createLogReader({
        broker,
        queue: topologyOf(NAMESPACE).log,
        log,
        onEntry: ({ offset, body }) => {
          clearTimeout(timer)
          if (found.length >= limit) return
          const entry = JSON.parse(body) as LogEntry
          const isWanted =
            (event ?? entry.event) === entry.event && (realmId ?? entry.realm_id) === entry.realm_id
          if (isWanted) found.push({ offset, ...entry })
          if (found.length >= limit) resolve()
          else timer = setTimeout(resolve, QUIET_MS)
        },
      })
      reader.seek(from)
    })
    return found
  } finally {
    await broker.close()
  }
}

function connected(broker: ReturnType<typeof connectBroker>, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const hosts = splitUrls(url).map((each) => new URL(each).host)
    const away = new Away(`RabbitMQ does not answer at ${hosts.join(', ')}`)
    const timer = setTimeout(() => reject(away), CONNECT_MS)
    broker.onConnected(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
