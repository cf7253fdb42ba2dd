import { expect, test } from 'vitest'
import { historyWithinLimit, shownHistory } from './shown-history.rules.ts'

const edit = { user_id: 1, timestamp: 3, prev_content: 'a', prev_rendered_content: '<p>a</p>' }
const history = [
  { ...edit, prev_topic: 'old', topic: 'new' },
  { user_id: 1, timestamp: 2, prev_stream: 7, stream: 8 },
  { ...edit, timestamp: 1 },
]

test('an organization shows all edits, none, or moves without earlier texts', () => {
  expect(shownHistory(history, 'all')).toEqual(history)
  expect(shownHistory(history, 'none')).toEqual([])
  expect(shownHistory(history, 'moves')).toEqual([
    { user_id: 1, timestamp: 3, prev_topic: 'old', topic: 'new' },
    { user_id: 1, timestamp: 2, prev_stream: 7, stream: 8 },
  ])
})

test('a token that is limited to channels gets the edits since the message came into them', () => {
  expect(historyWithinLimit({}, history)).toEqual(history)
  expect(historyWithinLimit({ channelIds: [7, 8] }, history)).toEqual(history)
  expect(historyWithinLimit({ channelIds: [8] }, history)).toEqual(history.slice(0, 1))
  expect(historyWithinLimit({ channelIds: [8] }, history.slice(1))).toEqual([])
})
