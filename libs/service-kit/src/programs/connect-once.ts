import type pg from 'pg'
import { type AccessOptions, accessDatabase } from '../postgres/connection.ts'
import { ConnectionWatch } from '../postgres/connection-watch.ts'
import { DatabaseClient } from '../postgres/database-client.ts'
import type { Logger } from '../telemetry/log.ts'

/** Runs `work` on one connection, which is closed afterwards; a connection whose server goes silent is given up. */
export async function connectOnce<T>(
  options: AccessOptions,
  log: Logger | null,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const access = accessDatabase(options)
  const watch = new ConnectionWatch(access, log)
  const client = new DatabaseClient({ ...access.config, access })
  client.on('error', (err) => log?.debug({ err }, 'postgres connection lost'))
  try {
    watch.add(client)
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
    watch.stop()
  }
}
