import { expect, test } from 'vitest'
import { restAfter } from './rest-after.ts'

const LIMIT = 500

test('rests for three times as long as several events took', () => {
  expect(restAfter(4, 2, LIMIT)).toBe(6)
  expect(restAfter(LIMIT - 1, 5, LIMIT)).toBe(15)
})

test('rests no longer than 25 ms', () => {
  expect(restAfter(40, 9, LIMIT)).toBe(25)
})

test('publishes what is nearly alone without a rest', () => {
  expect(restAfter(1, 2, LIMIT)).toBe(0)
  expect(restAfter(3, 2, LIMIT)).toBe(0)
})

test('catches up with a backlog without a rest', () => {
  expect(restAfter(LIMIT, 20, LIMIT)).toBe(0)
})
