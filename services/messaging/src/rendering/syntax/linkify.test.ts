import { describe, expect, test } from 'vitest'
import { findLinkified } from './linkify.ts'

const ISSUE = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://e.com/issues/{id}' }
const PULL = {
  pattern: '(?P<owner>[a-z]+)/(?P<repo>[a-z]+)#(?P<id>[0-9]+)',
  url_template: 'https://e.com/{owner}/{repo}{?id}',
}
const found = (text: string, linkifiers = [ISSUE]) =>
  findLinkified(text, linkifiers).map(({ start, end, url }) => [text.slice(start, end), url])

describe('linkifiers', () => {
  test.each(['#12', 'see #12', '(#12)', '"#12"', ',#12.', ':#12', '<#12>', "'#12'", '#12!', '\t#12\t'])(
    'find a match in %j',
    (text) => {
      expect(found(text)).toEqual([['#12', 'https://e.com/issues/12']])
    },
  )

  test.each(['x#12', '/#12', '#12a', '#12é', '##12', '#', '-#12'])(
    'find none in %j, where it is part of something longer',
    (text) => {
      expect(found(text)).toEqual([])
    },
  )

  test('match neighbours that share the separator between them', () => {
    expect(found('#1 #2,#3').map(([text]) => text)).toEqual(['#1', '#2', '#3'])
  })

  test('count positions in code units', () => {
    expect(found('🐙 #1 é #2').map(([text]) => text)).toEqual(['#1', '#2'])
  })

  test('fill in the groups, encoded', () => {
    expect(found('a/b#3', [PULL])).toEqual([['a/b#3', 'https://e.com/a/b?id=3']])
    expect(found('q=a b&c', [{ pattern: 'q=(?P<q>.+)', url_template: 'https://e.com/{+q}/{q}' }])).toEqual([
      ['q=a b&c', 'https://e.com/a%20b&c/a%20b%26c'],
    ])
  })

  test('apply in order: a match of one is not available to the next', () => {
    const wide = { pattern: 'see #(?P<id>[0-9]+)', url_template: 'https://e.com/wide/{id}' }

    expect(found('see #1 #2', [wide, ISSUE]).map(([, url]) => url)).toEqual([
      'https://e.com/wide/1',
      'https://e.com/issues/2',
    ])
    expect(found('see #1', [ISSUE, wide])).toEqual([['#1', 'https://e.com/issues/1']])
  })

  test.each([
    ['a pattern that is none', { pattern: '(', url_template: 'https://e.com' }],
    ['a bracket too many', { pattern: 'a)(b', url_template: 'https://e.com' }],
    ['look-around', { pattern: 'a(?=b)', url_template: 'https://e.com' }],
    ['a template that runs something', { pattern: 'ab', url_template: 'javascript:alert(1)' }],
    ['nothing to match', { pattern: 'x*', url_template: 'https://e.com' }],
  ])('find nothing with %s', (_, linkifier) => {
    expect(found('ab', [linkifier])).toEqual([])
  })

  test.each(['(?P<x>(a|aa)+)$', 'a(?P<x>.*z)?', '(?P<x>.*.*.*)!', '(?P<x>a{1,500})b'])(
    'take bounded time with %s',
    (pattern) => {
      const before = process.cpuUsage()
      const linkifiers = Array.from({ length: 20 }, (_, i) => ({
        pattern,
        url_template: `https://e.com/${i}{x}`,
      }))
      findLinkified('a '.repeat(5_000), linkifiers)
      findLinkified('a'.repeat(10_000), linkifiers)

      expect(process.cpuUsage(before).user).toBeLessThan(2_000_000)
    },
  )
})
