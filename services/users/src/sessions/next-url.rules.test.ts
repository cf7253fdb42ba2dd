import { describe, expect, test } from 'vitest'
import { nextPathOf } from './next-url.rules.ts'

const OWN = ['https://chat.example.org', 'https://old.example.org']

describe('the URL to which the browser goes on', () => {
  test.each([
    ['/', '/'],
    ['/account/?a=1#top', '/account/?a=1#top'],
    ['https://chat.example.org', '/'],
    ['https://chat.example.org/a?b=https://x.example', '/a?b=https://x.example'],
    ['https://old.example.org/a', '/a'],
    ['/a/../b', '/b'],
  ])('may be %s', (next, path) => {
    expect(nextPathOf(next, OWN)).toBe(path)
  })

  test.each([
    'https://evil.example',
    'http://chat.example.org/',
    'https://chat.example.org.evil.example/',
    'https://chat.example.org@evil.example/',
    'https://chat.example.org:8443/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' https://evil.example',
    'https:evil.example',
    'https:/evil.example',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'evil.example',
    '',
    '?a',
  ])('is not %j', (next) => {
    expect(nextPathOf(next, OWN)).toBeNull()
  })
})
