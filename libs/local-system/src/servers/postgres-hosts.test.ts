import { expect, test } from 'vitest'
import { splitHosts, withDatabase } from './postgres-hosts.ts'

test('a URL with several PostgreSQL servers is split into one for each', () => {
  expect(splitHosts('postgres://u:p,q@a:1,[::1]:2,c/db?x=1')).toEqual([
    'postgres://u:p,q@a:1/db?x=1',
    'postgres://u:p,q@[::1]:2/db?x=1',
    'postgres://u:p,q@c/db?x=1',
  ])
  expect(splitHosts('postgres://a')).toEqual(['postgres://a'])
})

test.each([
  ['postgres://u:p@a:1,b/db?x=1', 'postgres://u:p@a:1,b/other?x=1'],
  ['postgres://a', 'postgres://a/other'],
  ['postgres://a?x=/1', 'postgres://a/other?x=/1'],
])('another database at the same servers: %s', (url, other) => {
  expect(withDatabase(url, 'other')).toBe(other)
})
