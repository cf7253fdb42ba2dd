import { describe, expect, test } from 'vitest'
import { block, code, inline, label, link, markdown, quote, target } from './markdown.ts'

describe('a text of the sender', () => {
  test.each([
    ['a\n b', 'a b'],
    ['@**all** @**Ada** @*team*', '@\u200b**all** @_**Ada** @_*team*'],
    ['mail to @', 'mail to @\u200b'],
    ['mail to @**', 'mail to @\u200b_**'],
    ['fix `foo` and ``bar``', 'fix `foo` and ``bar``'],
    ['fix `foo', 'fix &#96;foo'],
    ['``a` b', '&#96;&#96;a&#96; b'],
    ['\\`a`', '\\&#96;a&#96;'],
    ['```', '&#96;&#96;&#96;'],
    ['~~~ quote', '\u200b~~~ quote'],
    ['$$x$$', '$$x$$'],
    ['for $$', 'for &#36;&#36;'],
  ])('stays within its line: %j', (text, expected) => {
    expect(inline(text)).toBe(expected)
  })

  test.each([
    ['[FIRING:1] Disk', '[FIRING:1] Disk'],
    ['a] b', 'a&#93; b'],
    ['[a](http://e.com)', '&#91;a&#93;(http://e.com)'],
    ['`]` [', '`&#93;` &#91;'],
  ])('stays within the label of a link: %j', (text, expected) => {
    expect(label(text)).toBe(expected)
  })

  test.each([
    ['```js\nx', '```js\nx\n```'],
    ['```\nx\n```\ny', '```\nx\n```\ny'],
    ['~~~~ quote\n```\nx', '~~~~ quote\n```\nx\n```\n~~~~'],
    ['```\n~~~\nx', '```\n~~~\nx\n```'],
  ])('has its fences closed: %j', (text, expected) => {
    expect(markdown(text)).toBe(expected)
  })

  test('is quoted within longer fences', () => {
    expect(quote('~~~\nx\n~~~')).toBe('~~~~ quote\n~~~\nx\n~~~\n~~~~')
    expect(block('```\nx\n```')).toBe('````\n```\nx\n```\n````')
    expect(code('a `b` c')).toBe('`` a `b` c ``')
  })
})

test('addresses of links are those that clients open, and end nothing', () => {
  expect(link('x', 'https://e.com/a b(c)?q=@**all**`')).toBe(
    '[x](https://e.com/a%20b%28c%29?q=@%2A%2Aall%2A%2A%60)',
  )
  expect(link('x', 'https://e.com/\u2028')).toBe('[x](https://e.com/)')
  expect(link('x', 'javascript:alert(1)')).toBe('x')
  expect(link('x', null)).toBe('x')
})

test.each(['\n', '`', '`\n', '~~~\n', '```\n', '[', '@**', '@', '$', '(', 'a ', '\\`', '@**a', '``` `'])(
  'a text of many %j takes linear time',
  (fragment) => {
    const text = fragment.repeat(10_000)
    const start = performance.now()
    for (const make of [inline, label, code, block, quote, markdown]) make(`x${text}x`)
    target(`https://${text}`)
    expect(performance.now() - start).toBeLessThan(2_000)
  },
)
