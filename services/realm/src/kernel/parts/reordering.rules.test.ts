import { expect, test } from 'vitest'
import { isReordering } from './reordering.rules.ts'

test.each([
  [[1, 2, 3], [3, 1, 2], true],
  [[], [], true],
  [[1, 2], [1], false],
  [[1, 2], [1, 2, 3], false],
  [[1, 2], [1, 1], false],
  [[1, 2], [1, 2, 2], false],
])('for %j, %j is a reordering: %j', (present, wanted, expected) => {
  expect(isReordering(present, wanted)).toBe(expected)
})
