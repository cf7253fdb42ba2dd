import { describe, expect, test } from 'vitest'
import { checkFirstEntry, firstOffsetToRead, markOf, markOfRecord } from './same-log.ts'

const known = { offset: 41, mark: markOf('known entry') }

describe('checkFirstEntry', () => {
  test('recognizes the same log by the entry at the known offset', () => {
    expect(firstOffsetToRead(known)).toBe(41)
    expect(checkFirstEntry(known, { offset: 41, body: 'known entry' })).toBe('known')
  })

  test('recognizes a new log by another entry at the known offset', () => {
    expect(checkFirstEntry(known, { offset: 41, body: 'another entry' })).toBe('lost')
  })

  test('accepts the next entry if the known one was the last to be dropped', () => {
    expect(checkFirstEntry(known, { offset: 42, body: 'next entry' })).toBe('follows')
  })

  test('recognizes entries that were dropped unread', () => {
    expect(checkFirstEntry(known, { offset: 43, body: 'later entry' })).toBe('dropped')
  })

  test('compares offsets alone if the mark is unknown', () => {
    const unmarked = { offset: 41, mark: null }

    expect(firstOffsetToRead(unmarked)).toBe(42)
    expect(checkFirstEntry(unmarked, { offset: 42, body: 'next entry' })).toBe('follows')
    expect(checkFirstEntry(unmarked, { offset: 50, body: 'later entry' })).toBe('dropped')
  })
})

test('the mark of a record is the mark of its text', () => {
  const record = { offset: 1, entry: null, body: 'text', positions: {}, cache: new Map() }

  expect([markOfRecord(record), markOfRecord(record)]).toEqual([markOf('text'), markOf('text')])
})
