import { expect, test } from 'vitest'
import type { Context } from '../context.ts'
import { awaitRefill } from './refilling.ts'

const NOW = 1_000_000
const aContext = (redisConnectedAt: number, findEnd: () => Promise<number>) =>
  ({
    store: { connectedAt: () => redisConnectedAt },
    feed: { findEnd },
    now: () => NOW,
  }) as unknown as Context

test.each([
  ['while a partition is behind the log, soon after Redis came back', NOW - 2_000, 41, true],
  ['and one that nobody has loaded yet', NOW - 2_000, null, true],
  ['but not once it has read all', NOW - 2_000, 42, false],
  ['and not long after Redis came back', NOW - 20_000, 41, false],
])(
  'a queue that is unknown may be there in a moment %s',
  async (_, redisConnectedAt, committed, expected) => {
    expect(await awaitRefill(aContext(redisConnectedAt, async () => 42))(committed)).toBe(expected)
  },
)

test('it is waited for up to where the log was at first, not for what comes after', async () => {
  let end = 41
  const mayBeRefilled = awaitRefill(aContext(NOW, async () => ++end))

  expect(await mayBeRefilled(41)).toBe(true)
  expect(await mayBeRefilled(42)).toBe(false)
})

test('while nobody knows where the log ends, none is told that its queue is gone', async () => {
  const mayBeRefilled = awaitRefill(aContext(NOW, () => Promise.reject(new Error('away'))))

  await expect(mayBeRefilled(41)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})
