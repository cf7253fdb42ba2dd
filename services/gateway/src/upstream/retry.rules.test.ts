import { expect, test } from 'vitest'
import { mayResend } from './retry.rules.ts'

test('only requests without effects, or that were never sent, are retried', () => {
  expect(mayResend('GET', true)).toBe(true)
  expect(mayResend('HEAD', true)).toBe(true)
  expect(['POST', 'DELETE', 'PATCH', 'PUT'].map((method) => mayResend(method, true))).toEqual(
    Array(4).fill(false),
  )
  expect(mayResend('POST', false)).toBe(true)
})
