import { expect, test } from 'vitest'
import { pauseBeforeAttempt } from './retry.rules.ts'

test('every replica is tried at once, then two more attempts are made after pauses', () => {
  expect([1, 2, 3, 4].map((made) => pauseBeforeAttempt(made, 2))).toEqual([0, 100, 400, null])
  expect([1, 2, 3].map((made) => pauseBeforeAttempt(made, 1))).toEqual([100, 400, null])
})
