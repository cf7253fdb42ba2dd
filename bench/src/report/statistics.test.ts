import { expect, test } from 'vitest'
import { medianOf, quantileOf, spreadOf } from './statistics.ts'

test('returns count, mean, median, 99th percentile and maximum', () => {
  const samples = Array.from({ length: 101 }, (_, i) => 100 - i)

  expect(spreadOf(samples)).toEqual({ count: 101, mean: 50, p50: 50, p99: 99, max: 100 })
})

test('interpolates a quantile linearly between two samples', () => {
  expect(quantileOf([1, 3], 0.25)).toBe(1.5)
  expect(medianOf([4, 1, 2, 3])).toBe(2.5)
  expect(medianOf([7])).toBe(7)
})

test('returns no spread for an empty list', () => {
  expect(() => spreadOf([])).toThrow('no samples')
})
