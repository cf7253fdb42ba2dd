import { describe, expect, test } from 'vitest'
import { findLinkifierFaults } from './linkifier-faults.ts'

describe('a linkifier', () => {
  test.each([
    ['#(?P<id>[0-9]+)', 'https://e.com/issues/{id}'],
    ['#(?<id>[0-9]+)', 'https://e.com/issues/{id}'],
    ['(?P<a>x)/(?P<b>y)(z)?', 'https://e.com/{+a}{/b:3}{?a,b*}{&b}{#b}'],
    ['help', 'https://e.com/help'],
  ])('may be %j with %j', (pattern, template) => {
    expect(findLinkifierFaults(pattern, template)).toBeNull()
  })

  test.each([
    ['', 'https://e.com', 'pattern'],
    [' ', 'https://e.com', 'pattern'],
    ['x', ' ', 'url_template'],
    ['x'.repeat(1_001), 'https://e.com', 'pattern'],
    ['x', 'https://e.com/{', 'url_template'],
    ['x', 'https://e.com/}', 'url_template'],
    ['(?P<id>x)', 'https://e.com/{{id}}', 'url_template'],
    ['x', 'https://e.com/{}', 'url_template'],
    ['(?P<id>x)', 'https://e.com/{=id}', 'url_template'],
    ['(?P<id>x)', 'https://e.com/{id:0}', 'url_template'],
    ['(', 'https://e.com', '__all__'],
    ['a)(b', 'https://e.com', '__all__'],
    ['a(?=b)', 'https://e.com', '__all__'],
    ['(a)\\1', 'https://e.com', '__all__'],
    ['((a{1,1000}){1,1000})', 'https://e.com', '__all__'],
    ['(?P<id>x)', 'https://e.com', '__all__'],
    ['x', 'https://e.com/{id}', '__all__'],
    ['(?P<id>x)', 'https://e.com/{ID}', '__all__'],
  ])('is not %j with %j, for its %s', (pattern, template, field) => {
    expect(Object.keys(findLinkifierFaults(pattern, template) ?? {})).toEqual([field])
  })

  test('gets an error for each mismatch', () => {
    expect(findLinkifierFaults('(?P<a>x)(?P<b>y)', '/{a}/{c}')?.__all__).toHaveLength(2)
  })
})
