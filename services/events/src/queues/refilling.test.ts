import { expect, test } from '@jest/globals'
import type { Context } from '../context.ts'
import { waitForRefill } from './refilling.ts'

const NOW = 1_000_000
const aContext = (redisConnectedAt: number, logEnd: number) =>
  ({
    store: { connectedAt: () => redisConnectedAt },
    feed: { end: () => logEnd },
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
    expect(await waitForRefill(aContext(redisConnectedAt, 42), committed)).toBe(expected)
  },
)
