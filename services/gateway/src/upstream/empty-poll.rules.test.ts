import { expect, test } from 'vitest'
import { emptyPollAnswer, wantsAnswerAtOnce } from './empty-poll.rules.ts'

test.each([
  ['/api/v1/events?queue_id=a%2Fb&last_event_id=3', { queue_id: 'a/b', events: [] }],
  ['/api/v1/events?last_event_id=3', null],
  ['/api/v1/events?queue_id=', null],
  ['/api/v1/events', null],
])('%s', (url, answer) => {
  expect(emptyPollAnswer(url)).toEqual(answer)
})

test.each([
  ['/api/v1/events?queue_id=q&dont_block=true', true],
  ['/api/v1/events?queue_id=q&dont_block=false', false],
  ['/api/v1/events?queue_id=dont_block', false],
  ['/api/v1/events', false],
])('%s must be answered at once: %j', (url, expected) => {
  expect(wantsAnswerAtOnce(url)).toBe(expected)
})
