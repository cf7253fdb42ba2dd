import { createLog, createPool } from '@tms/service-kit'
import type { TestSystem } from '@tms/test-kit'

/**
 * Runs `work` while nothing that a service commits is published, like during a slow broker. The backlog is published
 * afterwards.
 */
export async function withPausedRelay<T>(
  { system }: TestSystem,
  service: 'users' | 'realm' | 'messaging',
  work: () => Promise<T>,
): Promise<T> {
  const db = createPool(system.databaseUrls[service], 1, createLog('test', 'silent'))
  const client = await db.connect()
  try {
    await client.query('begin')
    // A relay locks this row before it claims anything from the outbox.
    await client.query('select 1 from outbox_relay for update')
    return await work()
  } finally {
    await client.query('rollback')
    client.release()
    await db.end()
  }
}
