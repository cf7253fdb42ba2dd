import { describe, expect, test } from 'vitest'
import { createMentionLookup } from '../../kernel/rendering/mention-lookup.ts'
import { renderMarkdown } from '../render-markdown.ts'
import { topicLinks } from '../topic-links.ts'

const html = (content: string) => renderMarkdown(content, createMentionLookup({})).html
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
    expect(read(`<${address}>`)).toEqual({ hrefs: [address], around: '&lt;_&gt;' })
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
  ])('in %s ends before the surrounding text', (content, around) => {
    expect(read(content)).toEqual({ hrefs: ['http://foo.com/x'], around })
  })

  test('contains a whole pair of brackets, and none that was opened before it', () => {
    expect(read('(http://foo.com/x_(y))')).toEqual({ hrefs: ['http://foo.com/x_(y)'], around: '(_)' })
  })

  test.each([
    ['http://münchen.de/ü', 'http://xn--mnchen-3ya.de/%C3%BC'],
    ['http://leo@münchen.de/日本', 'http://leo@xn--mnchen-3ya.de/%E6%97%A5%E6%9C%AC'],
  ])('%s leads to %s', (address, href) => {
    expect(html(address)).toBe(`<p><a href="${href}">${address}</a></p>`)
  })

  test.each([
    ['http://foo.com/a(b(c)d)e', 'http://foo.com/a(b(c)d)e', ''],
    ['http://foo.com/a[1](b{c})', 'http://foo.com/a%5B1%5D(b%7Bc%7D)', ''],
    ['http://foo.com/a(b', 'http://foo.com/a', '(b'],
    ['http://foo.com/a)b', 'http://foo.com/a', ')b'],
    ['http://foo.com/a"b', 'http://foo.com/a', '"b'],
    ['http://foo.com/a`b`', 'http://foo.com/a', '<code>b</code>'],
    ['http://foo.com/a~b*c_d', 'http://foo.com/a~b*c_d', ''],
    ['HTTPS://foo.com/x', 'HTTPS://foo.com/x', ''],
  ])('%s is a link as far as its brackets and quotes go', (content, href, around) => {
    expect(read(content)).toEqual({ hrefs: [href], around: `_${around}` })
  })

  test.each(['看http://foo.com/x', 'a=http://foo.com/x', '[http://foo.com/x]', '_http://foo.com/x'])(
    'is found in %s, whatever precedes it',
    (content) => {
      expect(read(content).hrefs).toEqual(['http://foo.com/x'])
    },
  )

  test.each([
    'http://a@b@c.com/',
    'https://user:p@ss@foo.com/x',
    'http://@foo.com',
    'http://leo@',
    'http://foo.com:99999/',
    'http://✪df.ws/123',
    'http://',
    'xhttp://foo.com',
    'ftp://foo.com',
  ])('is not guessed in %s', (content) => {
    expect(html(content)).toBe(`<p>${content}</p>`)
  })
})

describe('the name of a host', () => {
  test.each([
    ['go to views.org', 'go to _', 'http://views.org'],
    ['www.foo.co.uk', '_', 'http://www.foo.co.uk'],
    ['foo.com/a/b?c=(d)#e', '_', 'http://foo.com/a/b?c=(d)#e'],
    ['foo.com/a_(b(c))', '_', 'http://foo.com/a_(b(c))'],
    ['foo.com.', '_.', 'http://foo.com'],
    ['foo.com/x?!', '_?!', 'http://foo.com/x'],
    ['foo.com, bar', '_, bar', 'http://foo.com'],
    ['(foo.com)', '(_)', 'http://foo.com'],
    ['"foo.com"', '"_"', 'http://foo.com'],
    ['see:foo.com', 'see:_', 'http://foo.com'],
    ['<foo.com>', '&lt;_&gt;', 'http://foo.com'],
    ['**foo.com**', '<strong>_</strong>', 'http://foo.com'],
    ['~~foo.com~~', '<del>_</del>', 'http://foo.com'],
    ['“foo.com”', '“_”', 'http://foo.com'],
    ['a\nfoo.com\nb', 'a<br>\n_<br>\nb', 'http://foo.com'],
    ['my-site_1.dev', '_', 'http://my-site_1.dev'],
    ['1.2.3.example.com', '_', 'http://1.2.3.example.com'],
    ['münchen.de', '_', 'http://xn--mnchen-3ya.de'],
    ['例え.みんな', '_', 'http://xn--r8jz45g.xn--q9jyb4c'],
  ])('is a link in %j', (content, around, href) => {
    expect(read(content)).toEqual({ hrefs: [href], around })
  })

  test.each([
    'main.rs setup.py Main.java README.md install.sh a.zip clip.mov',
    'package.json index.html notes.txt',
    'foo.notadomain',
    'FOO.COM',
    'foo.com:8080',
    'foo.com?x=1',
    'foo.com,bar',
    'foo.com=x',
    'foo.com/(x',
    '/foo.com',
    '@foo.com',
    'x=foo.com',
    '.com',
    'foo..com',
    '3.14',
    'v1.2.3',
    'e.g. this',
    'one.Two',
    'wait...what',
    '`foo.com`',
  ])('is none in %j', (content) => {
    expect(read(content).hrefs).toEqual([])
  })

  test('is none in a topic', () => {
    expect(topicLinks('foo.com', [])).toEqual([])
  })
})

describe('an e-mail address', () => {
  test.each([
    ['a@e.com', '_'],
    ['write to a@e.com, please', 'write to _, please'],
    ['<a@e.com>', '&lt;_&gt;'],
    ['mailto:a@e.com', 'mailto:_'],
    ['**a@e.com**', '<strong>_</strong>'],
  ])('is a link in %j', (content, around) => {
    expect(read(content)).toEqual({ hrefs: ['mailto:a@e.com'], around })
  })

  test('may have dots, hyphens and a tag', () => {
    expect(read('a.b-c+d@mail.e-f.example').hrefs).toEqual(['mailto:a.b-c+d@mail.e-f.example'])
  })

  test.each(['a@e', 'a@', '@e.com', 'a@e.com/x', 'a@@e.com', 'a@e.com@f.com', '`a@e.com`'])(
    'is none in %j',
    (content) => {
      expect(read(content).hrefs).toEqual([])
    },
  )
})

test('a Bitcoin address is a link, and a text that only begins like one is none', () => {
  const address = 'bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT'

  expect(read(`to ${address}.`)).toEqual({ hrefs: [address], around: 'to _.' })
  expect(read('bitcoin:1Boat bitcoin:2BoatSLRHtKNngkdXEeobR76b53LETtpyT').hrefs).toEqual([])
})

describe('an address inside other markup', () => {
  test.each([
    ['the text of a link', '[http://foo.com views.org](/x)', ['/x']],
    ['code', '`http://foo.com`', []],
    ['mathematics', '$$http://foo.com$$', []],
  ])('is no link of its own in %s', (_, content, hrefs) => {
    expect(read(content).hrefs).toEqual(hrefs)
  })

  test('is found in a text that only resembles a link', () => {
    expect(read('[see http://foo.com/x](unclosed').hrefs).toEqual(['http://foo.com/x'])
  })
})
