import { expect, test } from 'vitest'
import { planMails } from './day-limit.rules.ts'

test.each([
  ['each conversation within the limit', 3, 0, 10, [3, 0, false]],
  ['each conversation without a limit', 3, 0, Number.POSITIVE_INFINITY, [3, 0, false]],
  ['a summary as the last mail of the day', 3, 0, 3, [2, 1, true]],
  ['a summary alone', 3, 0, 1, [0, 3, true]],
  ['nothing beyond the limit', 3, 0, 0, [0, 0, false]],
  ['a summary of what is left out', 20, 5, 100, [20, 5, false]],
])('a batch is mailed as %s', (_, conversations, further, left, [mailed, summedUp, isLast]) => {
  expect(planMails({ conversations, further }, left as number)).toEqual({ mailed, summedUp, isLast })
})
