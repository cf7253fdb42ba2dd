import { describe, expect, test } from 'vitest'
import { checkSettings, type SettingChange, type SettingUse } from './check-settings.ts'

const change = (
  value: string,
  [beganAt, endedAt]: readonly [number, number],
  outcome: SettingChange['outcome'] = 'done',
): SettingChange => ({ name: 'color', value, beganAt, endedAt, outcome })
const use = (value: string, [beganAt, endedAt]: readonly [number, number]): SettingUse => ({
  name: 'color',
  value,
  beganAt,
  endedAt,
})
const START = change('red', [0, 1])
const GREEN = change('green', [10, 20])

describe('the check of settings accepts', () => {
  test.each<[string, readonly SettingChange[], readonly SettingUse[]]>([
    ['a use that shows the change before it', [START, GREEN], [use('green', [21, 22])]],
    ['a use that is under way with a change, and shows it', [START, GREEN], [use('green', [11, 12])]],
    [
      'a use that is under way with a change, and shows the one before',
      [START, GREEN],
      [use('red', [19, 30])],
    ],
    [
      'uses under way with a change that show it and then the one before',
      [START, GREEN],
      [use('green', [11, 12]), use('red', [13, 14])],
    ],
    [
      'either of two changes that were under way at once, for as long as none follows',
      [START, GREEN, change('blue', [15, 25])],
      [use('green', [30, 31]), use('blue', [30, 31])],
    ],
    [
      'a change without an answer that was made, or not',
      [START, change('green', [10, 20], 'unknown')],
      [use('green', [21, 22]), use('red', [21, 22])],
    ],
    [
      'a change without an answer that comes into force after a later one was answered',
      [START, change('green', [10, 20], 'unknown'), change('blue', [30, 40])],
      [use('blue', [41, 42]), use('green', [50, 51])],
    ],
    ['a change that sets what is set already', [START, change('red', [10, 20])], [use('red', [21, 22])]],
    ['that other settings are changed', [START, { ...GREEN, name: 'size' }], [use('red', [21, 22])]],
  ])('%s', (_, changes, uses) => {
    expect(checkSettings(changes, uses)).toEqual([])
  })
})

describe('the check of settings rejects', () => {
  test.each<[string, readonly SettingChange[], SettingUse]>([
    ['a use that shows what was before a change that was answered', [START, GREEN], use('red', [21, 22])],
    ['a use that shows a change that had not begun', [START, GREEN], use('green', [5, 9])],
    [
      'a use that shows a change that was refused',
      [START, { ...GREEN, outcome: 'refused' }],
      use('green', [21, 22]),
    ],
    ['a use that shows what nobody has set', [START, GREEN], use('blue', [21, 22])],
    [
      'a use under way with a change that shows what was before the change before it',
      [START, GREEN, change('blue', [30, 40])],
      use('red', [35, 36]),
    ],
    [
      'a use that shows what a change without an answer cannot have left in force',
      [START, GREEN, change('blue', [30, 40], 'unknown')],
      use('red', [50, 51]),
    ],
    [
      'a use that shows the first of two changes that were under way at once, after a third',
      [START, GREEN, change('blue', [15, 25]), change('white', [30, 40])],
      use('green', [41, 42]),
    ],
  ])('%s', (_, changes, stale) => {
    expect(checkSettings(changes, [stale])).toHaveLength(1)
  })

  test('names the times of the use, and of the expected changes', () => {
    expect(checkSettings([START, GREEN], [use('red', [21, 22])])).toEqual([
      "color: 'red' at 21.0 to 22.0 ms, where only this was due: green (done, 10.0 to 20.0 ms)",
    ])
  })
})
