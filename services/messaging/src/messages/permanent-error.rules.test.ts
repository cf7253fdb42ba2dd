import { AppError } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { permanentErrorText } from './permanent-error.rules.ts'

describe('an error', () => {
  test.each([
    ['a refused check', new AppError('BAD_REQUEST', { message: 'no' }), 'no'],
    ['an unavailable service', new AppError('SERVICE_UNAVAILABLE'), null],
    ['a lost connection', new Error('Connection terminated unexpectedly'), null],
    ['a defect', new TypeError('x is not a function'), null],
  ])('that is %s is permanent or not: %#', (_, err, reason) => {
    expect(permanentErrorText(err)).toBe(reason)
  })
})
