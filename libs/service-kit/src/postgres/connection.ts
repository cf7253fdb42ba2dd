import type pg from 'pg'
import { parseDatabaseUrl } from '../addresses/database-url.ts'
import type { ClientTls } from '../tls/settings.ts'
import { boundsOf, CONNECT_MS, DEFAULT_SILENCE_SECONDS, type SilenceBounds, STATEMENT_MS } from './bounds.ts'
import { createHostFinder, type HostFinder } from './host-finder.ts'

/** How to connect to a database, and how long its server may be silent. */
export interface DatabaseAccess {
  readonly config: pg.ClientConfig
  /** Prefix of its sessions' names in `pg_stat_activity`; each has a random suffix. */
  readonly name: string
  readonly bounds: SilenceBounds
  readonly finder: HostFinder
}

export interface AccessOptions {
  readonly url: string
  readonly tls?: ClientTls
  /** What operators set as DATABASE_SILENCE_SECONDS. */
  readonly silenceSeconds?: number
  /** How long a statement may take; 0 for no limit. */
  readonly statementMs?: number
  /** Overrides the name in the URL, or `tms`. */
  readonly name?: string
}

/** PostgreSQL keeps 63 bytes of a name: this leaves room for the suffix. */
const MAX_NAME_LENGTH = 54

/** How to connect to the database of a URL, at whichever of its servers fits. */
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
  const ownParameters = ['options', 'application_name', ...(isOurTls ? ['sslmode'] : [])]
  // Deleting a missing parameter would re-encode the others.
  for (const parameter of ownParameters) if (searchParams.has(parameter)) searchParams.delete(parameter)
  const config: pg.ClientConfig = {
    connectionString: parsed.href,
    // The client adds the host, which the certificate is checked against.
    ...(isOurTls && { ssl: { ...tls } }),
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: bounds.keepAliveMs,
    // The URL's own options come last, and win.
    options: `${sessionOptions(bounds, statementMs)} ${ownOptions}`.trimEnd(),
  }
  const name = (options.name ?? ownName).replace(/[^ -~]/g, '?').slice(0, MAX_NAME_LENGTH)
  return { config, name, bounds, finder: createHostFinder(hosts, target, config) }
}

/** JIT is off: it costs short, set-based statements far more than it gains. */
function sessionOptions({ ofServer }: SilenceBounds, statementMs: number): string {
  const settings = { jit: 'off', statement_timeout: statementMs, ...ofServer }
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}
