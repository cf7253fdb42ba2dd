import { expect, test } from 'vitest'
import { codedHeaders, codingOf, takesGzip } from './compression.rules.ts'

const envelope = {
  ...({ answer: 'envelope', isLongPoll: false, takesCookies: false, mayBeGzipped: true } as const),
} as const
const long = ['Content-Type', 'application/json', 'Content-Length', '14000']
/** By its service; a proxy between may have added the length. */
const compressed = [
  ...['Content-Type', 'application/json', 'Content-Encoding', 'gzip', 'Content-Length', '300'],
  ...['Vary', 'accept-encoding', 'X-Inflated-Length', '20000'],
]
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
  expect(codingOf(get(accepted), envelope, long)).toBe(expected ? 'gzip' : null)
  expect(codingOf(get(accepted), envelope, compressed)).toBe(expected ? null : 'gunzip')
})

test('short, encoded and unbounded answers are sent as they are', () => {
  for (const headers of [
    ['content-length', '13999'],
    [...long, 'content-encoding', 'br'],
    ['content-type', 'application/json'],
    ['content-length', 'long'],
  ])
    expect(codingOf(get('gzip'), envelope, headers)).toBe(null)
})

test('so are events, files, pages, answers to HEAD, and what a cookie may give access to', () => {
  expect(codingOf(get('gzip'), { ...envelope, isLongPoll: true }, long)).toBe(null)
  for (const answer of ['file', 'page', 'event-stream'] as const)
    expect(codingOf(get('gzip'), { ...envelope, answer }, long)).toBe(null)
  expect(codingOf(get('gzip', 'HEAD'), envelope, long)).toBe(null)
  expect(codingOf(get('gzip'), { ...envelope, takesCookies: true }, long)).toBe(null)
  expect(codingOf(get('gzip'), { ...envelope, takesCookies: true }, compressed)).toBe('gunzip')
})

test('a compressed answer has the other headers, and no length', () => {
  expect(codedHeaders([...long, 'x-request-id', '7'], 'gzip')).toEqual([
    ...['Content-Type', 'application/json', 'x-request-id', '7'],
    ...['content-encoding', 'gzip', 'vary', 'accept-encoding'],
  ])
})

test('an inflated answer has the other headers, and the length that its service said', () => {
  const others = ['Content-Type', 'application/json', 'Vary', 'accept-encoding']
  const kept = [...others, 'X-Inflated-Length', '20000']
  expect(codedHeaders(compressed, 'gunzip')).toEqual([...kept, 'content-length', '20000'])
  expect(codedHeaders([...others, 'Content-Encoding', 'gzip'], 'gunzip')).toEqual(others)
  expect(codedHeaders(compressed, null)).toBe(compressed)
})

test('a service may answer in gzip if it can do so at all, and that is passed on or may be inflated', () => {
  expect(takesGzip(get('gzip'), envelope, false)).toBe(true)
  expect(takesGzip(get(), envelope, true)).toBe(true)
  expect(takesGzip(get(), envelope, false)).toBe(false)
  expect(takesGzip(get('gzip'), { ...envelope, takesCookies: true }, false)).toBe(false)
  expect(takesGzip(get('gzip'), { ...envelope, mayBeGzipped: false }, true)).toBe(false)
})
