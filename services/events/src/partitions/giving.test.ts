import { expect, test } from 'vitest'
import { createGiving, type Giving } from './giving.ts'

/** How many of very many partitions each round gives to a replica. */
const given = (giving: Giving, receiver: string): number => {
  let count = 0
  while (giving.allows(receiver)) count++
  return count
}

test('a replica gets an eighth of all partitions, and the next when it was heard of', () => {
  const giving = createGiving(64, () => 0)
  giving.begin(2)
  expect(given(giving, 'new')).toBe(8)

  giving.begin(2)
  expect(given(giving, 'new')).toBe(0)

  giving.heardOf('new')
  giving.begin(2)
  expect(given(giving, 'new')).toBe(8)
})

test('several that give make up one portion together, of one partition each at least', () => {
  const giving = createGiving(64, () => 0)
  giving.begin(5)
  expect(given(giving, 'new')).toBe(2)
  giving.begin(40)
  expect(given(giving, 'other')).toBe(1)
})

test('each replica that came gets a portion of its own', () => {
  const giving = createGiving(16, () => 0)
  giving.begin(2)
  expect([given(giving, 'one'), given(giving, 'two')]).toEqual([2, 2])

  giving.heardOf('two')
  giving.begin(2)
  expect([given(giving, 'one'), given(giving, 'two')]).toEqual([0, 2])
})

test('a replica that is never heard of gets the next portion after a while', () => {
  let now = 0
  const giving = createGiving(16, () => now)
  giving.begin(2)
  expect(given(giving, 'new')).toBe(2)

  now = 1_499
  giving.begin(2)
  expect(given(giving, 'new')).toBe(0)
  now = 1_500
  giving.begin(2)
  expect(given(giving, 'new')).toBe(2)
})
