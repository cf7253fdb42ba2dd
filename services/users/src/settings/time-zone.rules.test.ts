import { describe, expect, test } from 'vitest'
import { canonicalTimeZone } from './time-zone.rules.ts'

describe('canonicalTimeZone', () => {
  test.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['Europe/Amsterdam', 'Europe/Amsterdam'],
    ['US/Pacific', 'America/Los_Angeles'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['UTC', 'UTC'],
  ])('maps %s to %s', (name, canonical) => {
    expect(canonicalTimeZone(name)).toBe(canonical)
  })

  test.each(['', ' ', 'Mars/Olympus', '+01:00', 'null', '🦉'])('refuses %j', (name) => {
    expect(() => canonicalTimeZone(name)).toThrow('time zone')
  })

  test.each(Intl.supportedValuesOf('timeZone'))('%s has one current name', (zone) => {
    expect(canonicalTimeZone(canonicalTimeZone(zone))).toBe(canonicalTimeZone(zone))
  })
})
