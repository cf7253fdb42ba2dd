import { expect, test } from '@jest/globals'
import { emptyPollAnswer } from './empty-poll.rules.ts'

test.each([
  ['/api/v1/events?queue_id=a%2Fb&last_event_id=3', { queue_id: 'a/b', events: [] }],
  ['/api/v1/events?last_event_id=3', null],
  ['/api/v1/events?queue_id=', null],
  ['/api/v1/events', null],
])('%s', (url, answer) => {
  expect(emptyPollAnswer(url)).toEqual(answer)
})
