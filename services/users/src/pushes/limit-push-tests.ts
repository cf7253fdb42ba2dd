import { AppError, limits } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { countPushTest } from './push-test.queries.ts'

/**
 * Counts a test of an account's devices. Throws RATE_LIMIT_HIT if there were too many within a minute: push services limit
 * what the whole installation sends.
 */
export async function limitPushTests(db: Queryable, accountId: number): Promise<void> {
  const { count, secondsLeft } = await countPushTest(db, accountId)
  if (count > limits.maxPushTestsPerMinute)
    throw new AppError('RATE_LIMIT_HIT', { details: { 'retry-after': Math.max(1, secondsLeft) } })
}
