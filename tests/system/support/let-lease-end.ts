import type { Pool } from '@tms/service-kit'
import { expect } from 'vitest'

/**
 * Ends the leases in a table now, as if their time had passed: no test waits until those of a process that was killed end.
 * Expects that none would have lasted for longer than `maxSeconds`.
 */
export async function letLeaseEnd(db: Pool, table: string, maxSeconds: number): Promise<void> {
  const { rows } = await db.query<{ seconds: number }>(
    `with held as materialized (
       select extract(epoch from leased_until - clock_timestamp())::float8 as seconds
         from ${table}
        where leased_until > clock_timestamp()
     ), ended as (
       update ${table} set leased_until = clock_timestamp() where leased_until > clock_timestamp() returning 1
     )
     select seconds from held`,
  )
  for (const { seconds } of rows) expect(seconds).toBeLessThanOrEqual(maxSeconds)
}
