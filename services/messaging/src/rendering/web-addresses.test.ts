import { describe, expect, test } from 'vitest'
import { createDirectory } from './directory.ts'
import { renderMarkdown } from './render-markdown.ts'
import { topicLinks } from './topic-links.ts'

const html = (content: string) => renderMarkdown(content, createDirectory({})).html
/** Where the links of a text lead, and the text without them. */
const read = (content: string) => {
  const rendered = html(content)
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replace(/<\/?p>/g, '')
  const hrefs = [...rendered.matchAll(/<a href="([^"]*)">/g)].map(([, href]) => href)
  return { hrefs, around: rendered.replaceAll(/<a [^>]*>[^<]*<\/a>/g, '_') }
}

describe('a web address', () => {
  test.each([
    'http://leo@foo.com/x',
    'http://leo@foo.com',
    'http://leo@localhost:3000/x',
    'https://leo:pw@foo.com:8080/x',
    'http://le_o.x+y@foo.com/x',
    'http://user%40x@foo.com/',
    'http://foo.com:8080',
    'http://localhost:3000/x',
    'http://127.0.0.1/x',
    'http://[::1]/x',
    'http://[2001:db8::1]:80/x',
    'http://leo@[::1]:80/x',
    'http://foo.com/a:b',
    'http://foo.com/?q=a:b',
    'http://foo.com?x=a@b&c=d',
    'http://foo.com#a@b/c',
    'https://foo.com/@leo/x',
    'http://foo.com/x_(y)',
    'http://foo.com/~leo',
    'http://foo.com/x~',
    "http://foo.com/it's",
    'http://foo.com/x,y;z',
  ])('%s is a link as a whole', (address) => {
    expect(read(address)).toEqual({ hrefs: [address], around: '_' })
    expect(read(`<${address}>`)).toEqual({ hrefs: [address], around: '_' })
    expect(topicLinks(address, [])).toEqual([{ text: address, url: address }])
  })

  test.each([
    ':',
    '.',
    ',',
    ';',
    '!',
    '?',
    "'",
    '"',
    ')',
    ']',
    '}',
    '...',
    ':,',
    '.:',
    '::',
    ':)',
    '),',
    '»',
    '。',
    '…',
  ])('does not take %j from the sentence that it ends', (mark) => {
    for (const address of [
      'http://foo.com/x',
      'http://foo.com/x#y',
      'http://foo.com/x?y=z',
      'http://foo.com:80',
    ]) {
      expect(read(`${address}${mark}`)).toEqual({ hrefs: [address], around: `_${mark}` })
      expect(read(`see ${address}${mark} and`)).toEqual({ hrefs: [address], around: `see _${mark} and` })
    }
  })

  test.each([
    ['(http://foo.com/x)', '(_)'],
    ['(http://foo.com/x:)', '(_:)'],
    ["'http://foo.com/x'", "'_'"],
    ['"http://foo.com/x"', '"_"'],
    ['“http://foo.com/x”', '“_”'],
    ['[http://foo.com/x]', '[_]'],
    ['**http://foo.com/x**', '<strong>_</strong>'],
    ['~~http://foo.com/x~~', '<del>_</del>'],
  ])('in %s ends before what surrounds it', (content, around) => {
    expect(read(content)).toEqual({ hrefs: ['http://foo.com/x'], around })
  })

  test('takes a pair of brackets whole, and none that was opened before it', () => {
    expect(read('(http://foo.com/x_(y))')).toEqual({ hrefs: ['http://foo.com/x_(y)'], around: '(_)' })
  })

  test.each([
    ['http://münchen.de/ü', 'http://xn--mnchen-3ya.de/%C3%BC'],
    ['http://leo@münchen.de/日本', 'http://leo@xn--mnchen-3ya.de/%E6%97%A5%E6%9C%AC'],
  ])('%s leads to %s', (address, href) => {
    expect(html(address)).toBe(`<p><a href="${href}">${address}</a></p>`)
  })

  test.each([
    'http://a@b@c.com/',
    'https://user:p@ss@foo.com/x',
    'http://@foo.com',
    'http://leo@',
    'http://foo.com:99999/',
  ])('is not guessed where it is none: %s', (content) => {
    expect(html(content)).toBe(`<p>${content}</p>`)
  })
})
