import { expect, test } from 'vitest'
import { wasJustQueued } from './renew-mail.ts'

test.each([
  [true, 0, true],
  [true, 999, true],
  [true, 1_000, false],
  [false, 10, false],
  [true, Number.POSITIVE_INFINITY, false],
])(
  'a mail (first attempt: %s) that waited %i ms is sent as it was queued: %s',
  (isFirst, waitedMs, expected) => {
    expect(wasJustQueued({ jobId: '1', isFirst, waitedMs })).toBe(expected)
  },
)
