import { describe, expect, test } from 'vitest'
import { firstToRead, judgeFirst, markOf, markOfRecord } from './same-log.ts'

const place = { offset: 41, mark: markOf('what stood there') }

describe('the first entry read after a known place', () => {
  test('is that place itself, which shows that the log is the same', () => {
    expect(firstToRead(place)).toBe(41)
    expect(judgeFirst(place, { offset: 41, body: 'what stood there' })).toBe('known')
  })

  test('shows another log by another text', () => {
    expect(judgeFirst(place, { offset: 41, body: 'something else' })).toBe('lost')
  })

  test('may be the next, where the place itself is the newest that was dropped', () => {
    expect(judgeFirst(place, { offset: 42, body: 'the next' })).toBe('follows')
  })

  test('shows what was dropped unread', () => {
    expect(judgeFirst(place, { offset: 43, body: 'one later' })).toBe('dropped')
  })

  test('is the next where nothing is known of the place', () => {
    const unknown = { offset: 41, mark: null }

    expect(firstToRead(unknown)).toBe(42)
    expect(judgeFirst(unknown, { offset: 42, body: 'the next' })).toBe('follows')
    expect(judgeFirst(unknown, { offset: 50, body: 'one later' })).toBe('dropped')
  })
})

test('the mark of a record is that of its text', () => {
  const record = { offset: 1, entry: null, body: 'text', positions: {}, cache: new Map() }

  expect([markOfRecord(record), markOfRecord(record)]).toEqual([markOf('text'), markOf('text')])
})
