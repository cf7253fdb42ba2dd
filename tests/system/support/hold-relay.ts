import { createLog, createPool } from '@tms/service-kit'
import type { TestSystem } from '@tms/test-kit'

/**
 * Runs `work` while nothing of what a service commits is published, as when the broker is slow for a moment. What was
 * held back comes afterwards.
 */
export async function holdRelay<T>(
  { system }: TestSystem,
  service: 'users' | 'realm' | 'messaging',
  work: () => Promise<T>,
): Promise<T> {
  const db = createPool(system.databaseUrls[service], 1, createLog('test', 'silent'))
  const client = await db.connect()
  try {
    await client.query('begin')
    // A relay takes the row's lock before it takes anything from the outbox.
    await client.query('select 1 from outbox_relay for update')
    return await work()
  } finally {
    await client.query('rollback')
    client.release()
    await db.end()
  }
}
