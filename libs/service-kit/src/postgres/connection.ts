import type pg from 'pg'
import type { ClientTls } from '../tls/settings.ts'
import { boundsOf, CONNECT_MS, DEFAULT_SILENCE_SECONDS, type SilenceBounds, STATEMENT_MS } from './bounds.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { createHostFinder, type HostFinder } from './host-finder.ts'

/** How a database is connected to, and for how long its server may be silent. */
export interface DatabaseAccess {
  readonly config: pg.ClientConfig
  /** What the sessions of its connections are named by in `pg_stat_activity`; each has something of its own behind it. */
  readonly name: string
  readonly bounds: SilenceBounds
  readonly finder: HostFinder
}

export interface AccessOptions {
  readonly url: string
  readonly tls?: ClientTls
  /** What operators set as DATABASE_SILENCE_SECONDS. */
  readonly silenceSeconds?: number
  /** How long a statement may take; 0 for ever. */
  readonly statementMs?: number
  /** Instead of what the URL says, or `tms`. */
  readonly name?: string
}

/** PostgreSQL keeps 63 bytes of a name: this leaves room for what tells sessions apart. */
const MAX_NAME_LENGTH = 54

/** Connections with the database that a URL names, at whichever of its servers. */
export function accessDatabase(options: AccessOptions): DatabaseAccess {
  const { url, tls = {}, silenceSeconds = DEFAULT_SILENCE_SECONDS, statementMs = STATEMENT_MS } = options
  const { hosts, target, urlOf } = parseDatabaseUrl(url)
  const bounds = boundsOf(silenceSeconds)
  const parsed = new URL(urlOf())
  const { searchParams } = parsed
  const ownOptions = searchParams.get('options') ?? ''
  const ownName = searchParams.get('application_name') ?? 'tms'
  const isOurTls =
    (searchParams.get('sslmode') ?? 'disable') !== 'disable' && !searchParams.has('sslrootcert')
  const taken = ['options', 'application_name', ...(isOurTls ? ['sslmode'] : [])]
  // One that isn't there would have the others written anew.
  for (const parameter of taken) if (searchParams.has(parameter)) searchParams.delete(parameter)
  const config: pg.ClientConfig = {
    connectionString: parsed.href,
    // The client adds the host, by which it looks whether the certificate is the server's.
    ...(isOurTls && { ssl: { ...tls } }),
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: bounds.keepAliveMs,
    // What the URL says comes last, and wins.
    options: `${sessionOptions(bounds, statementMs)} ${ownOptions}`.trimEnd(),
  }
  const name = (options.name ?? ownName).replace(/[^ -~]/g, '?').slice(0, MAX_NAME_LENGTH)
  return { config, name, bounds, finder: createHostFinder(hosts, target, config) }
}

/** JIT is off: it costs short, set-based statements far more than it gives. */
function sessionOptions({ ofServer }: SilenceBounds, statementMs: number): string {
  const settings = { jit: 'off', statement_timeout: statementMs, ...ofServer }
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}
