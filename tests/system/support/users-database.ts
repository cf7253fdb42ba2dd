import { createLog, createPool, type Pool } from '@tms/service-kit'
import type { TestSystem } from '@tms/test-kit'

/** Works in the users service's own database, for what nobody can do from outside. */
export async function inUsersDatabase<T>({ system }: TestSystem, work: (db: Pool) => Promise<T>): Promise<T> {
  const db = createPool(system.databaseUrls.users, 1, createLog('test', 'silent'))
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}
