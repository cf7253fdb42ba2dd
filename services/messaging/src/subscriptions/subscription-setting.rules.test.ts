import type { SubscriptionSettings } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { parseSetting } from './subscription-setting.rules.ts'

describe('parseSetting', () => {
  test.each<[keyof SubscriptionSettings, boolean | string]>([
    ['color', '#a1b2c3'],
    ['is_muted', true],
    ['pin_to_top', false],
    ['desktop_notifications', true],
    ['audible_notifications', true],
    ['push_notifications', false],
    ['email_notifications', true],
    ['wildcard_mentions_notify', false],
  ])('accepts %s %j', (property, value) => {
    expect(parseSetting(property, value)).toEqual({ property, value })
  })

  test.each([
    ['#abc', '#aabbcc'],
    ['#DEF', '#ddeeff'],
    ['#A1b2C3', '#a1b2c3'],
  ])('stores the colour %s as %s', (value, stored) => {
    expect(parseSetting('color', value)).toEqual({ property: 'color', value: stored })
  })

  test('inverts the legacy name of muting', () => {
    expect(parseSetting('in_home_view', false)).toEqual({ property: 'is_muted', value: true })
    expect(parseSetting('in_home_view', true)).toEqual({ property: 'is_muted', value: false })
  })

  test.each<[keyof SubscriptionSettings, boolean | string]>([
    ['color', 'red'],
    ['color', '#ab'],
    ['color', '#abcd'],
    ['color', '#12345'],
    ['color', '#abcdef0'],
    ['color', true],
    ['is_muted', 'true'],
    ['in_home_view', 'x'],
    ['pin_to_top', '#abc'],
  ])('rejects %s %j', (property, value) => {
    expect(() => parseSetting(property, value)).toThrow()
  })
})
