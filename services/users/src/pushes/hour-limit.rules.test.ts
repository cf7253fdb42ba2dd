import { expect, test } from 'vitest'
import { appearanceOf } from './hour-limit.rules.ts'

test.each<[number, number, string]>([
  [0, 3, 'message'],
  [1, 3, 'message'],
  [2, 3, 'summary'],
  [3, 3, 'none'],
  [0, 1, 'summary'],
  [9_999, 0, 'message'],
])('after %i of %i in an hour, a message appears as %s', (shown, max, appearance) => {
  expect(appearanceOf(shown, max)).toBe(appearance)
})
