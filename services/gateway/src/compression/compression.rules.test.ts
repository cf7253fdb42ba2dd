import { expect, test } from 'vitest'
import { compressedHeaders, isToBeCompressed } from './compression.rules.ts'

const envelope = { answer: 'envelope', isLongPoll: false, takesCookies: false } as const
const long = ['Content-Type', 'application/json', 'Content-Length', '14000']
const get = (accepted?: string, method = 'GET') => ({
  method,
  headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
})

test.each<[string | undefined, boolean]>([
  ['gzip', true],
  ['gzip, deflate', true],
  ['br;q=1.0, GZIP;q=0.5', true],
  ['*', true],
  ['*;q=0.1, br', true],
  ['x-gzip', true],
  ['gzip, identity', true],
  ['gzip;q=0.1, identity;q=0.5', false],
  [undefined, false],
  ['', false],
  ['br, zstd', false],
  ['gzip;q=0', false],
  ['*, gzip;q=0.0', false],
  ['gzip;q=lots', false],
  ['xgzip', false],
])('a long answer is compressed for a client that accepts %j: %s', (accepted, expected) => {
  expect(isToBeCompressed(get(accepted), envelope, long)).toBe(expected)
})

test('short, encoded and unbounded answers are sent as they are', () => {
  for (const headers of [
    ['content-length', '13999'],
    [...long, 'content-encoding', 'br'],
    ['content-type', 'application/json'],
    ['content-length', 'long'],
  ])
    expect(isToBeCompressed(get('gzip'), envelope, headers)).toBe(false)
})

test('so are events, files, pages, answers to HEAD, and what a cookie may give access to', () => {
  expect(isToBeCompressed(get('gzip'), { ...envelope, isLongPoll: true }, long)).toBe(false)
  for (const answer of ['file', 'page', 'event-stream'] as const)
    expect(isToBeCompressed(get('gzip'), { ...envelope, answer }, long)).toBe(false)
  expect(isToBeCompressed(get('gzip', 'HEAD'), envelope, long)).toBe(false)
  expect(isToBeCompressed(get('gzip'), { ...envelope, takesCookies: true }, long)).toBe(false)
})

test('a compressed answer has the other headers, and no length', () => {
  expect(compressedHeaders([...long, 'x-request-id', '7'])).toEqual([
    ...['Content-Type', 'application/json', 'x-request-id', '7'],
    ...['content-encoding', 'gzip', 'vary', 'accept-encoding'],
  ])
})
