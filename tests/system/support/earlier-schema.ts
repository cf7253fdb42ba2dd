import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createLog, createPool } from '@tms/service-kit'

/**
 * Reverts a service's database to the state before the last of its own migrations, and returns the name of that migration. Null
 * if the service has only its initial schema.
 */
export async function takeLastMigrationBack(service: string, databaseUrl: string): Promise<string | null> {
  const folder = new URL(`../../../services/${service}/migrations/`, import.meta.url)
  const [, ...later] = readdirSync(fileURLToPath(folder)).sort()
  const file = later.at(-1)
  if (file === undefined) return null
  const name = file.replace(/\.sql$/, '')
  const [, downwards] = readFileSync(new URL(file, folder), 'utf8').split('-- Down Migration')
  if (downwards === undefined) throw new Error(`${name} of ${service} has no down migration`)
  const db = createPool(databaseUrl, 1, createLog('test', 'silent'))
  try {
    // Statements of one query share a transaction, which some migrations don't allow.
    await db.query(downwards)
    await db.query('delete from migrations where name = $1', [name])
  } finally {
    await db.end()
  }
  return name
}
