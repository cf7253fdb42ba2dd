import { expect, test } from 'vitest'
import { medianOf, quantileOf, spreadOf } from './statistics.ts'

test('a spread tells count, mean, middle, the hundredth part above, and the largest', () => {
  const samples = Array.from({ length: 101 }, (_, i) => 100 - i)

  expect(spreadOf(samples)).toEqual({ count: 101, mean: 50, p50: 50, p99: 99, max: 100 })
})

test('a quantile between two samples lies between them in proportion', () => {
  expect(quantileOf([1, 3], 0.25)).toBe(1.5)
  expect(medianOf([4, 1, 2, 3])).toBe(2.5)
  expect(medianOf([7])).toBe(7)
})

test('there is no spread of nothing', () => {
  expect(() => spreadOf([])).toThrow('no samples')
})
