import { describe, expect, test } from 'vitest'
import { pollQueryOf, streamQueryOf } from './poll-query.rules.ts'

describe('a poll goes over a link', () => {
  test.each([
    ['queue_id=a-1&last_event_id=7', { queueId: 'a-1', lastEventId: 7 }],
    ['last_event_id=-1&queue_id=a', { queueId: 'a', lastEventId: -1 }],
    ['queue_id=a&dont_block=false', { queueId: 'a', lastEventId: null }],
  ])('if its query is %s', (query, expected) => {
    expect(pollQueryOf(`/api/v1/events?${query}`)).toEqual(expected)
  })

  test.each([
    ['no query', ''],
    ['no queue', '?last_event_id=1'],
    ['a queue twice', '?queue_id=a&queue_id=b'],
    ['an event twice', '?queue_id=a&last_event_id=1&last_event_id=2'],
    ['an encoded queue', '?queue_id=a%2Db'],
    ['a queue without a name', '?queue_id='],
    ['a very long queue', `?queue_id=${'a'.repeat(101)}`],
    ['an event that is no ID', '?queue_id=a&last_event_id=1.5'],
    ['an event below any', '?queue_id=a&last_event_id=-2'],
    ['an event beyond exact numbers', '?queue_id=a&last_event_id=9999999999999999'],
    ['no wish to wait', '?queue_id=a&dont_block=true'],
    ['another parameter', '?queue_id=a&slim_presence=true'],
    ['a name without a value', '?queue_id'],
    ['a name without a value that begins like another', '?queue_idz'],
    ['a name of an object’s own', '?queue_id=a&__proto__=1'],
  ])('but not with %s', (_name, query) => {
    expect(pollQueryOf(`/api/v1/events${query}`)).toBeNull()
  })
})

describe('a stream goes over a link', () => {
  const url = '/api/v1/events/stream?queue_id=a&last_event_id=7'
  test.each([
    ['without the header', undefined, 7],
    ['with an empty header', '', 7],
    ['with the ID of its last event in the header', '9', 9],
  ])('%s', (_name, header, lastEventId) => {
    expect(streamQueryOf(url, header)).toEqual({ queueId: 'a', lastEventId })
  })

  test('but not with a header that is no ID', () => {
    expect(streamQueryOf(url, 'x')).toBeNull()
  })
})
