import type { ConnectionOptions } from 'node:tls'
import { type ClientTls, servernameOf } from '../tls/settings.ts'

/** What a client of PostgreSQL connects by. */
export interface PostgresConnection {
  readonly connectionString: string
  readonly ssl?: ConnectionOptions
}

/**
 * Connects as the URL says: over TLS where its `sslmode` asks for that, by `tls` unless it names files with certificates
 * itself (`sslrootcert`).
 */
export function postgresConnection(url: string, tls: ClientTls): PostgresConnection {
  const parsed = new URL(url)
  const { searchParams, hostname } = parsed
  if ((searchParams.get('sslmode') ?? 'disable') === 'disable' || searchParams.has('sslrootcert'))
    return { connectionString: url }
  searchParams.delete('sslmode')
  // The client names no host beside its socket, and an address would go unchecked.
  const host = hostname.replace(/^\[|\]$/g, '')
  return { connectionString: parsed.href, ssl: { ...tls, ...servernameOf(hostname), host } }
}
