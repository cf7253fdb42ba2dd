import { databaseUrls } from '@tms/local-system'
import { createLog, createPool, type Pool } from '@tms/service-kit'
import type { TestSystem } from '@tms/test-kit'

/** Works in the users service's own database, for what nobody can do from outside. */
export async function inUsersDatabase<T>(
  { servers }: TestSystem,
  work: (db: Pool) => Promise<T>,
): Promise<T> {
  const db = createPool(databaseUrls(servers.postgres.url, '').users, 1, createLog('test', 'silent'))
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}
