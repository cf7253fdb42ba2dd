import { expect, test } from 'vitest'
import { RefusalCounts } from './refusal-counts.ts'

const ACCOUNT = 2
const now = new Date(0)

interface Flood {
  readonly times: number
  readonly userId: (index: number) => number | null
  readonly realmId?: number
  readonly at?: Date
}
/** How many of these refusals are noted. */
const flood = (counts: RefusalCounts, { times, userId, realmId = 1, at = now }: Flood): number =>
  Array.from({ length: times }, (_, index) => counts.add(realmId, userId(index), '::1', at)).filter(Boolean)
    .length

test('of many refusals of one account and address, the 1st, 10th, 100th … are noted', () => {
  expect(flood(new RefusalCounts(), { times: 10_000, userId: () => ACCOUNT })).toBe(5)
})

test('of many accounts, the first refusals of 60 are noted, and the 100th, 1,000th … of the organization', () => {
  expect(flood(new RefusalCounts(), { times: 10_000, userId: (index) => index })).toBe(60 + 5)
})

test('of unknown accounts, the 1st, 10th, 100th … of the organization are noted', () => {
  expect(flood(new RefusalCounts(), { times: 10_000, userId: () => null })).toBe(5)
})

test('neither unknown accounts nor many others hide that one account is attacked', () => {
  const counts = new RefusalCounts()
  flood(counts, { times: 5_000, userId: () => null })
  expect(counts.add(1, ACCOUNT, '::1', now)).toEqual({ count: 1, ofOrganization: 1 })
  flood(counts, { times: 500, userId: (index) => 100 + index })

  const attack = Array.from({ length: 9 }, () => counts.add(1, ACCOUNT, '::1', now))
  expect(attack.filter(Boolean)).toEqual([{ count: 10, ofOrganization: 510 }])
})

test('unknown accounts do not use up the day of known ones', () => {
  const counts = new RefusalCounts()
  for (let minute = 0; minute < 1_000; minute++)
    flood(counts, { times: 100, userId: () => null, at: new Date(minute * 60_000) })
  const at = new Date(1_000 * 60_000)
  flood(counts, { times: 2, userId: () => 7, at })
  expect(counts.add(1, ACCOUNT, '::1', at)).toEqual({ count: 1, ofOrganization: 3 })
})

test('an organization under attack ends the noting of no other', () => {
  const counts = new RefusalCounts()
  for (let realmId = 10; realmId < 210; realmId++)
    flood(counts, { times: 100, userId: (index) => index, realmId })

  expect(counts.add(1, ACCOUNT, '::1', now)).toEqual({ count: 1, ofOrganization: 1 })
})

test('a whole day of refusals adds a bounded number of entries', () => {
  const counts = new RefusalCounts()
  const minutes = Array.from({ length: 1_440 }, (_, minute) => new Date(minute * 60_000))
  const noted = minutes.map((at) => flood(counts, { times: 100, userId: (index) => index, at }))

  expect(noted.reduce((sum, ofMinute) => sum + ofMinute)).toBeLessThan(2_100 + 3 * 1_440)
  expect(noted.at(-1)).toBe(3)
})

test('the next minute begins anew, and an organization does not count for another', () => {
  const counts = new RefusalCounts()
  expect(counts.add(1, ACCOUNT, '::1', now)).toEqual({ count: 1, ofOrganization: 1 })
  expect(counts.add(1, ACCOUNT, '::1', now)).toBeNull()
  expect(counts.add(2, ACCOUNT, '::1', now)).toEqual({ count: 1, ofOrganization: 1 })
  expect(counts.add(1, ACCOUNT, '::1', new Date(60_000))).toEqual({ count: 1, ofOrganization: 1 })
})
