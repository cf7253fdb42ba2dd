import { describe, expect, test } from 'vitest'
import { type QuietSettings, quietUntil } from './quiet-hours.ts'

const minutes = (clock: string) => {
  const [hours = 0, rest = 0] = clock.split(':').map(Number)
  return hours * 60 + rest
}
const EVERY_DAY = 127
const [SATURDAY, SUNDAY] = [1 << 5, 1 << 6]
const WORKDAYS = EVERY_DAY - SATURDAY - SUNDAY
const hours = (start: string, end: string, more: QuietSettings = {}): QuietSettings => ({
  ...{ quiet_hours_enabled: true, quiet_hours_start: minutes(start), quiet_hours_end: minutes(end) },
  ...more,
})
const endOf = (settings: QuietSettings, timeZone: string, now: string) =>
  quietUntil(settings, timeZone, new Date(now))?.toISOString().slice(0, 16) ?? null

const night = hours('22:00', '07:00')
const noon = hours('12:00', '13:30')
const summer = { ...night, quiet_hours_days: WORKDAYS }
const weekend = {
  ...hours('20:00', '08:00', { quiet_hours_days: WORKDAYS }),
  quiet_whole_days: SATURDAY + SUNDAY,
}

// 2026-11-23 is a Monday.
describe('a user has quiet until', () => {
  test.each<[string, QuietSettings, string, string, string | null]>([
    ['nothing is set', {}, 'Europe/Berlin', '2026-11-23T23:00Z', null],
    ['the end in UTC if the zone is unknown', night, 'Mars/Olympus', '2026-11-23T23:00Z', '2026-11-24T07:00'],
    ['hours are off', { ...night, quiet_hours_enabled: false }, 'UTC', '2026-11-23T23:00Z', null],
    [
      'switched on alone: at night',
      { quiet_hours_enabled: true },
      'UTC',
      '2026-11-23T23:00Z',
      '2026-11-24T07:00',
    ],
    ['before it begins', noon, 'UTC', '2026-11-23T11:59:59Z', null],
    ['as it begins', noon, 'UTC', '2026-11-23T12:00Z', '2026-11-23T13:30'],
    ['within a day', noon, 'UTC', '2026-11-23T13:29:59Z', '2026-11-23T13:30'],
    ['as it ends', noon, 'UTC', '2026-11-23T13:30Z', null],
    ['over midnight, before it', night, 'UTC', '2026-11-23T22:00Z', '2026-11-24T07:00'],
    ['over midnight, after it', night, 'UTC', '2026-11-24T06:59Z', '2026-11-24T07:00'],
    ['over midnight, at noon', night, 'UTC', '2026-11-24T12:00Z', null],
    ['in the zone of the user', night, 'Europe/Berlin', '2026-11-23T21:00Z', '2026-11-24T06:00'],
    ['in a zone without one: UTC', night, '', '2026-11-23T21:59Z', null],
    ['in a zone of half an hour', night, 'Asia/Kolkata', '2026-11-23T16:30Z', '2026-11-24T01:30'],
    [
      'on a day that has none',
      hours('22:00', '07:00', { quiet_hours_days: SUNDAY }),
      'UTC',
      '2026-11-23T23:00Z',
      null,
    ],
    [
      'the night that began on its day',
      hours('22:00', '07:00', { quiet_hours_days: SUNDAY }),
      'UTC',
      '2026-11-23T06:00Z',
      '2026-11-23T07:00',
    ],
    ['on no day', hours('22:00', '07:00', { quiet_hours_days: 0 }), 'UTC', '2026-11-23T23:00Z', null],
    [
      'from noon to noon of one day',
      hours('12:00', '12:00', { quiet_hours_days: 1 }),
      'UTC',
      '2026-11-24T11:00Z',
      '2026-11-24T12:00',
    ],
    ['Friday evening, over the weekend', weekend, 'UTC', '2026-11-27T20:00Z', '2026-11-30T00:00'],
    ['Sunday, to its midnight', weekend, 'UTC', '2026-11-29T12:00Z', '2026-11-30T00:00'],
    ['Monday evening, to the morning', weekend, 'UTC', '2026-11-30T21:00Z', '2026-12-01T08:00'],
    [
      'whole days while hours are off',
      { ...weekend, quiet_hours_enabled: false },
      'UTC',
      '2026-11-29T12:00Z',
      null,
    ],
    [
      'snoozed',
      { quiet_until: Date.UTC(2026, 10, 23, 15) / 1_000 },
      'UTC',
      '2026-11-23T14:00Z',
      '2026-11-23T15:00',
    ],
    [
      'snoozed until a moment ago',
      { quiet_until: Date.UTC(2026, 10, 23, 15) / 1_000 },
      'UTC',
      '2026-11-23T15:00Z',
      null,
    ],
    [
      'snoozed into the night',
      { ...night, quiet_until: Date.UTC(2026, 10, 23, 23) / 1_000 },
      'UTC',
      '2026-11-23T14:00Z',
      '2026-11-24T07:00',
    ],
    [
      'snoozed for a month',
      { quiet_until: Date.UTC(2026, 11, 23) / 1_000 },
      'UTC',
      '2026-11-23T14:00Z',
      '2026-12-23T00:00',
    ],
    // Berlin skips 02:00 to 03:00 on 2026-03-29, and repeats 02:00 to 03:00 on 2026-10-25.
    ['the short night of spring', night, 'Europe/Berlin', '2026-03-28T22:00Z', '2026-03-29T05:00'],
    ['the long night of autumn', night, 'Europe/Berlin', '2026-10-24T21:00Z', '2026-10-25T06:00'],
    [
      'an end that is skipped',
      hours('22:00', '02:30'),
      'Europe/Berlin',
      '2026-03-28T22:00Z',
      '2026-03-29T01:30',
    ],
    ['a start that is skipped', hours('02:30', '07:00'), 'Europe/Berlin', '2026-03-29T01:29Z', null],
    [
      'a start that is skipped, an hour later',
      hours('02:30', '07:00'),
      'Europe/Berlin',
      '2026-03-29T01:30Z',
      '2026-03-29T05:00',
    ],
    [
      'an end that comes twice',
      hours('22:00', '02:30'),
      'Europe/Berlin',
      '2026-10-24T23:00Z',
      '2026-10-25T00:30',
    ],
    [
      'an end that comes twice, after the first',
      hours('22:00', '02:30'),
      'Europe/Berlin',
      '2026-10-25T00:45Z',
      null,
    ],
    [
      'a start that comes twice',
      hours('02:30', '07:00'),
      'Europe/Berlin',
      '2026-10-25T00:30Z',
      '2026-10-25T06:00',
    ],
    [
      'a day that begins at one o’clock',
      { ...hours('12:00', '13:00', { quiet_hours_days: 0 }), quiet_whole_days: SUNDAY },
      'America/Santiago',
      '2026-09-06T04:00Z',
      '2026-09-07T03:00',
    ],
    [
      'workdays alone, on Friday night',
      summer,
      'Australia/Lord_Howe',
      '2026-11-27T12:00Z',
      '2026-11-27T20:00',
    ],
  ])('%s', (_, settings, timeZone, now, end) => {
    expect(endOf(settings, timeZone, now)).toBe(end)
  })
})

test('somebody who is always quiet is looked at again after a week', () => {
  const always = { ...hours('00:00', '00:00'), quiet_whole_days: EVERY_DAY }
  expect(endOf(always, 'UTC', '2026-11-23T12:00Z')).toBe('2026-12-01T00:00')
})
