import { atPostgres, withDatabase } from '../servers/postgres-hosts.ts'
import { type DatabaseService, databaseServices } from './service-names.ts'

/** The URL of each service's database on this server. */
export function databaseUrls(serverUrl: string, namespace: string): Record<DatabaseService, string> {
  const urlOf = (service: DatabaseService) => withDatabase(serverUrl, databaseName(service, namespace))
  return { users: urlOf('users'), realm: urlOf('realm'), messaging: urlOf('messaging') }
}

/**
 * Creates missing databases, as copies of those of another namespace if one is given, to which nobody may be
 * connected.
 */
export async function createDatabases(
  serverUrl: string,
  namespace: string,
  template: string | null = null,
): Promise<void> {
  await atPostgres(serverUrl, async (client) => {
    for (const service of databaseServices) {
      const name = databaseName(service, namespace)
      const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
      const copied = template === null ? '' : ` template ${databaseName(service, template)}`
      if (rowCount === 0) await client.query(`create database ${name}${copied}`)
    }
  })
}

/** Drops the databases of a namespace, ending all connections to them. */
export async function dropDatabases(serverUrl: string, namespace: string): Promise<void> {
  await atPostgres(serverUrl, async (client) => {
    for (const service of databaseServices) {
      await client.query(`drop database if exists ${databaseName(service, namespace)} with (force)`)
    }
  })
}

function databaseName(service: DatabaseService, namespace: string): string {
  return namespace === '' ? `tms_${service}` : `tms_${service}_${namespace}`
}
