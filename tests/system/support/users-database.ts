import { createLog, createPool, type Pool } from '@tms/service-kit'
import { startTestSystem, type TestSystem } from '@tms/test-kit'

/** Works in the users service's own database, for changes that are impossible from outside. */
export async function inUsersDatabase<T>(system: TestSystem, work: (db: Pool) => Promise<T>): Promise<T> {
  const db = openUsersDatabase(system)
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}

/** The whole product for a test file that works in that database throughout. */
export async function startWithUsersDatabase(
  options: Omit<Parameters<typeof startTestSystem>[0], 'env'>,
): Promise<{ product: TestSystem; db: Pool; stop: () => Promise<void> }> {
  const product = await startTestSystem({ env: process.env, ...options })
  const db = openUsersDatabase(product)
  const stop = async () => {
    await db.end()
    await product.stop()
  }
  return { product, db, stop }
}

const openUsersDatabase = ({ system }: TestSystem): Pool =>
  createPool(system.databaseUrls.users, 2, createLog('test', 'silent'))
