import { describe, expect, test } from 'vitest'
import { toFormatString } from './format-string.rules.ts'

describe('a URL template as a format string', () => {
  test.each([
    ['https://example.com/{id}', 'https://example.com/%(id)s'],
    ['https://example.com/{org}/{repo_2}#{id}', 'https://example.com/%(org)s/%(repo_2)s#%(id)s'],
    ['https://example.com/a%20b/{id}?at=100%', 'https://example.com/a%%20b/%(id)s?at=100%%'],
    ['https://example.com/', 'https://example.com/'],
  ])('%s becomes %s', (template, formatString) => {
    expect(toFormatString(template)).toBe(formatString)
  })

  test.each(['{+path}', '{?q,page}', '{a,b}', '{name:3}', '{list*}', '{#part}', '{}'])(
    'is null if it has %s',
    (expression) => {
      expect(toFormatString(`https://example.com/${expression}/{id}`)).toBeNull()
    },
  )
})
