import { expect, test } from 'vitest'
import type { Context } from './context.ts'
import { createRefillWait } from './refilling.ts'

const NOW = 1_000_000
const aContext = (redisConnectedAt: number, findEnd: () => Promise<number>) =>
  ({
    store: { connectedAt: () => redisConnectedAt },
    logTail: { findEnd },
    now: () => NOW,
  }) as unknown as Context

test.each([
  [
    'may still appear while its partition is behind the log, soon after Redis came back',
    NOW - 2_000,
    41,
    true,
  ],
  ['may still appear while its partition has no offset', NOW - 2_000, null, true],
  ['will not appear once its partition has read the log', NOW - 2_000, 42, false],
  ['will not appear long after Redis came back', NOW - 20_000, 41, false],
])('a missing queue %s', async (_, redisConnectedAt, committed, expected) => {
  expect(await createRefillWait(aContext(redisConnectedAt, async () => 42))(committed)).toBe(expected)
})

test('the wait ends at the first known end of the log, not at later ones', async () => {
  let end = 41
  const waitForRefill = createRefillWait(aContext(NOW, async () => ++end))

  expect(await waitForRefill(41)).toBe(true)
  expect(await waitForRefill(42)).toBe(false)
})

test('a queue is not reported as missing while the end of the log is unknown', async () => {
  const waitForRefill = createRefillWait(aContext(NOW, () => Promise.reject(new Error('unavailable'))))

  await expect(waitForRefill(41)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})
