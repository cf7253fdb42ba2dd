import { expect, test } from 'vitest'
import { quietFormOf, quietHoursOf, readQuietForm, storedQuietHours } from './quiet-form.rules.ts'

const weekend = {
  quiet_hours_enabled: true,
  quiet_hours_start: 1_290,
  quiet_hours_end: 5,
  quiet_hours_days: 31,
  quiet_whole_days: 96,
}

test('settings without any of quiet hours are shown as their defaults', () => {
  const form = quietFormOf(storedQuietHours({}))
  expect(form).toMatchObject({ isEnabled: false, start: '22:00', end: '07:00', wholeDays: [] })
  expect(form.days).toHaveLength(7)
})

test('settings survive the form', () => {
  const form = quietFormOf(weekend)
  expect(form).toMatchObject({ start: '21:30', end: '00:05', wholeDays: ['saturday', 'sunday'] })
  const input = {
    ...{ enabled: 'true', start: '21:30:00', end: form.end },
    ...Object.fromEntries(form.days.map((day) => [`from_${day}`, 'true'])),
    ...Object.fromEntries(form.wholeDays.map((day) => [`whole_${day}`, 'true'])),
  }
  expect(quietHoursOf(readQuietForm(input))).toEqual(weekend)
})

test.each(['', '24:00', '7:00', '07:60', 'noon'])('%j is no time', (start) => {
  expect(quietHoursOf({ ...quietFormOf(weekend), start })).toBeNull()
})
