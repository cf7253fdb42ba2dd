import { expect, test } from 'vitest'
import { appearanceOf } from './hour-limit.rules.ts'

test.each<[number, boolean, number, string]>([
  [0, false, 3, 'message'],
  [1, false, 3, 'message'],
  [2, false, 3, 'summary'],
  // Two replicas have counted at the same time.
  [4, false, 3, 'summary'],
  [3, true, 3, 'none'],
  [1, true, 3, 'none'],
  [0, false, 1, 'summary'],
  [9_999, false, 0, 'message'],
])('after %i of an hour (summed up: %s), of %i that may appear, a message appears as %s', (...given) => {
  const [count, isSummedUp, max, appearance] = given
  expect(appearanceOf({ count, isSummedUp }, max)).toBe(appearance)
})

test('a flood that lasts brings one summary for all its messages, and in the next hour messages again', () => {
  const shown: { minute: number; appearance: string }[] = []
  for (let minute = 0; minute < 240; minute += 1 / 3) {
    const ofHour = shown.filter((one) => one.minute > minute - 60)
    const isSummedUp = ofHour.some(({ appearance }) => appearance === 'summary')
    const appearance = appearanceOf({ count: ofHour.length, isSummedUp }, 120)
    if (appearance !== 'none') shown.push({ minute, appearance })
  }
  const appeared = shown.map(({ appearance }) => appearance)
  expect(appeared.filter((appearance) => appearance === 'summary')).toHaveLength(3)
  expect(appeared.indexOf('summary')).toBe(119)
  expect(appeared.slice(120, 239)).toEqual(Array(119).fill('message'))
})
