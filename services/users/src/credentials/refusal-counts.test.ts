import { expect, test } from 'vitest'
import { RefusalCounts } from './refusal-counts.ts'

const now = new Date(0)
const noted = (counts: RefusalCounts, times: number, address: (index: number) => string): number =>
  Array.from({ length: times }, (_, index) => counts.add(1, null, address(index), now)).filter(Boolean).length

test('of many refusals of one account and address, the 1st, 10th, 100th … are noted', () => {
  expect(noted(new RefusalCounts(), 10_000, () => '::1')).toBe(5)
})

test('of many addresses, the first 60 are noted, and the 100th, 1,000th … of the organization', () => {
  expect(noted(new RefusalCounts(), 10_000, (index) => `address ${index}`)).toBe(63)
})

test('the next minute begins anew, and an organization does not count for another', () => {
  const counts = new RefusalCounts()
  expect(counts.add(1, 2, '::1', now)).toEqual({ count: 1, ofOrganization: 1 })
  expect(counts.add(1, 2, '::1', now)).toBeNull()
  expect(counts.add(2, 2, '::1', now)).toEqual({ count: 1, ofOrganization: 1 })
  expect(counts.add(1, 2, '::1', new Date(60_000))).toEqual({ count: 1, ofOrganization: 1 })
})
