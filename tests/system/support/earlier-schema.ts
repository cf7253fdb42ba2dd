import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createLog, createPool } from '@tms/service-kit'

/**
 * Makes a service's database what it was before the last of the service's own migrations. Returns the name of that.
 */
export async function takeLastMigrationBack(service: string, databaseUrl: string): Promise<string> {
  const folder = new URL(`../../../services/${service}/migrations/`, import.meta.url)
  const file = readdirSync(fileURLToPath(folder)).sort().at(-1) ?? ''
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
