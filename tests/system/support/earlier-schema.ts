import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createLog, createPool } from '@tms/service-kit'

/**
 * Makes a service's database what it was before the last of the service's own migrations, and returns the name of that.
 * Null if the service has only its initial schema, before which there was nothing.
 */
export async function takeLastMigrationBack(service: string, databaseUrl: string): Promise<string | null> {
  const folder = new URL(`../../../services/${service}/migrations/`, import.meta.url)
  const [, ...later] = readdirSync(fileURLToPath(folder)).sort()
  const file = later.at(-1)
  if (file === undefined) return null
  const name = file.replace(/\.sql$/, '')
  const [, downwards] = readFileSync(new URL(file, folder), 'utf8').split('-- Down Migration')
  if (downwards === undefined) throw new Error(`${name} of ${service} has no way back`)
  const db = createPool(databaseUrl, 1, createLog('test', 'silent'))
  try {
    await db.query(`begin; ${downwards}; delete from migrations where name = '${name}'; commit`)
  } finally {
    await db.end()
  }
  return name
}
