import { expect, test } from 'vitest'
import { restAfter } from './rest-after.ts'

test('rests for three times as long as several events took', () => {
  expect(restAfter(4, 2, false)).toBe(6)
})

test('rests no longer than 25 ms', () => {
  expect(restAfter(40, 9, false)).toBe(25)
})

test('goes on without a rest after a few events', () => {
  expect(restAfter(1, 2, false)).toBe(0)
  expect(restAfter(3, 2, false)).toBe(0)
})

test('catches up with a backlog without a rest', () => {
  expect(restAfter(500, 20, true)).toBe(0)
})
