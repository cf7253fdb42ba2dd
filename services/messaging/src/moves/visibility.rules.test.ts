import { expect, test } from 'vitest'
import { mergedPolicy } from './visibility.rules.ts'

const [none, muted, unmuted, followed] = [0, 1, 2, 3]

test.each([
  ['nothing', followed, none, false, followed],
  ['nothing', none, muted, false, none],
  ['messages', muted, muted, true, muted],
  ['messages', followed, followed, true, followed],
  ['messages', followed, none, true, none],
  ['messages', none, muted, true, none],
  ['messages', muted, followed, true, none],
  ['messages', unmuted, none, true, unmuted],
  ['messages', followed, unmuted, true, unmuted],
  ['messages', unmuted, muted, true, unmuted],
])('to %s, policy %s comes where %s is (%s): %s', (_, moved, existing, hadMessages, expected) => {
  expect(mergedPolicy(moved, existing, hadMessages)).toBe(expected)
})
