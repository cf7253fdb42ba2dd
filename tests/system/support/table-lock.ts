import type { createPool } from '@tms/service-kit'
import { until } from './until.ts'

type Pool = ReturnType<typeof createPool>

/** A locked table, that others can't write and, unless the lock is shared, not read either. */
export interface TableLock {
  /** Resolves when this number of transactions waits for it, with a statement that matches the pattern. */
  waitForWaiters(count: number, pattern?: string): Promise<void>
  /** Further calls do nothing. */
  release(): Promise<void>
}

/** Locks a table, so that other transactions wait for it; with `share` only those that write. */
export async function lockTable(
  db: Pool,
  table: string,
  mode: 'access exclusive' | 'share' = 'access exclusive',
): Promise<TableLock> {
  const client = await db.connect()
  let isReleased = false
  await client.query('begin')
  await client.query(`lock table ${table} in ${mode} mode`)
  return {
    waitForWaiters: (count, pattern = '') =>
      until(async () => {
        const { rows } = await db.query<{ waiting: number }>(
          `select count(*)::int as waiting
             from pg_locks
             join pg_stat_activity activity using (pid)
            where database = (select oid from pg_database where datname = current_database())
              and relation = $1::regclass
              and not granted
              and activity.query ~ $2`,
          [table, pattern],
        )
        return rows[0]?.waiting === count
      }),
    release: async () => {
      if (isReleased) return
      isReleased = true
      await client.query('rollback')
      client.release()
    },
  }
}
