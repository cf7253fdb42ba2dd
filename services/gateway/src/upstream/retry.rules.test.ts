import { expect, test } from '@jest/globals'
import { mayResend, pauseBeforeAttempt } from './retry.rules.ts'

test('every replica is tried at once, then two more attempts are made after pauses', () => {
  expect([1, 2, 3, 4].map((made) => pauseBeforeAttempt(made, 2))).toEqual([0, 100, 400, null])
  expect([1, 2, 3].map((made) => pauseBeforeAttempt(made, 1))).toEqual([100, 400, null])
})

test('only what changes nothing, or never left, is sent again', () => {
  expect(mayResend('GET', true)).toBe(true)
  expect(mayResend('HEAD', true)).toBe(true)
  expect(['POST', 'DELETE', 'PATCH', 'PUT'].map((method) => mayResend(method, true))).toEqual(
    Array(4).fill(false),
  )
  expect(mayResend('POST', false)).toBe(true)
})
