import { expect, test } from 'vitest'
import { createDigestTime, nextSlot, slotOf, weekdaysOf } from './digest-slot.rules.ts'

const HOURS_OF_TWO_YEARS = 2 * 365 * 24
const at = (iso: string) => new Date(iso)

// 2026-11-23 is a Monday.
test.each([
  ['UTC', '2026-11-23T18:00Z', 0],
  ['', '2026-11-23T18:00Z', 0],
  ['Mars/Olympus, which is unknown', '2026-11-23T18:00Z', 0],
  ['Europe/Berlin', '2026-11-23T17:00Z', 0],
  ['Europe/Berlin, in summer', '2026-07-20T16:00Z', 0],
  ['America/Los_Angeles, where it is still Sunday', '2026-11-23T02:00Z', 6],
  ['Pacific/Auckland, where it is Tuesday already', '2026-11-24T05:00Z', 1],
  ['Asia/Kolkata, half an hour into the hour', '2026-11-23T13:00Z', 0],
  ['Asia/Kathmandu, three quarters into the hour', '2026-11-23T13:00Z', 0],
])('in %s digests are due at %s', (zone, iso, weekday) => {
  const slot = at(iso)
  const [timeZone = ''] = zone.split(',')
  expect(createDigestTime(slot)(timeZone, weekday)).toBe(true)
  expect(weekdaysOf(slot)).toContain(weekday)
  expect(createDigestTime(slot)(timeZone, (weekday + 1) % 7)).toBe(false)
  expect(createDigestTime(nextSlot(slot))(timeZone, weekday)).toBe(false)
})

test.each([
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Kathmandu',
])('in %s each week has one hour of digests, also where clocks change', (timeZone) => {
  const due: Date[] = []
  let slot = at('2026-01-01T00:00Z')
  for (let hour = 0; hour < HOURS_OF_TWO_YEARS; hour++) {
    if (weekdaysOf(slot).includes(2) && createDigestTime(slot)(timeZone, 2)) due.push(slot)
    slot = nextSlot(slot)
  }
  const days = due
    .slice(1)
    .map((moment, index) => (moment.getTime() - (due[index]?.getTime() ?? 0)) / 86_400_000)
  expect(due.length).toBeGreaterThan(103)
  expect(days.every((each) => Math.abs(each - 7) < 0.1)).toBe(true)
})

test('a moment belongs to the full hour before it', () => {
  expect(slotOf(at('2026-11-23T18:59:59Z'))).toEqual(at('2026-11-23T18:00Z'))
  expect(nextSlot(at('2026-11-23T18:00Z'))).toEqual(at('2026-11-23T19:00Z'))
})
