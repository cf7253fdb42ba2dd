import { describe, expect, test } from 'vitest'
import { createMentionLookup } from '../../kernel/rendering/mention-lookup.ts'
import { plainSettings } from '../../kernel/rendering/rendering-settings.ts'
import { renderMarkdown } from '../render-markdown.ts'

const html = (content: string) => renderMarkdown(content, createMentionLookup({})).html

describe('a written link', () => {
  test.each([
    ['[t](https://e.com/a?b=c&d)', 'https://e.com/a?b=c&amp;d'],
    ['[t](HTTP://e.com)', 'HTTP://e.com'],
    ['[t](mailto:a@e.com)', 'mailto:a@e.com'],
    ['[t](/user_uploads/1/a.png)', '/user_uploads/1/a.png'],
    ['[t](#narrow/stream/1-x)', '#narrow/stream/1-x'],
    ['[t](example.com/x)', 'http://example.com/x'],
    ['[t](</a b>)', '/a%20b'],
    ['[t](https://e.com/a b.pdf)', 'https://e.com/a%20b.pdf'],
    ['[t](/user_uploads/1/a b.pdf)', '/user_uploads/1/a%20b.pdf'],
    ['[t](user_uploads/1/a.png)', '/user_uploads/1/a.png'],
    ['[t](a@e.com)', 'mailto:a@e.com'],
    ['[t](a@e.com?subject=x)', 'mailto:a@e.com?subject=x'],
    ['[t](e.com/@a)', 'http://e.com/@a'],
    ['[t](ftp://e.com/x)', 'ftp://e.com/x'],
    ['[t](file:///tmp/x)', 'file:///tmp/x'],
    ['[t](bitcoin:1x)', 'bitcoin:1x'],
    ['[t](https://e.com/a(b(c)))', 'https://e.com/a(b(c))'],
    ['[t](https://e.com/x "")', 'https://e.com/x'],
  ])('%s leads to %s', (content, href) => {
    expect(html(content)).toBe(`<p><a href="${href}">t</a></p>`)
  })

  test('may have a title, which is escaped', () => {
    expect(html('[**t**](/x "a" )')).toBe('<p><a href="/x" title="a"><strong>t</strong></a></p>')
    expect(html('[t](/x \'a" onclick="b\')')).toContain('title="a&quot; onclick=&quot;b"')
  })

  test.each([
    '[t](javascript:alert)',
    '[t](JaVaScRiPt:alert)',
    '[t](&#106;avascript:alert)',
    '[t](<javascript:alert>)',
    '[t](data:text/html,x)',
    '[t](data:image/png;base64,x)',
    '[t](vbscript:x)',
    '[t](file://host/x)',
    '[t](file:x)',
    '[t](news:x)',
    '[t](ftps://e.com)',
    '[t](note that)',
    '[t] (/x)',
    '[t](/x',
    '[t](unknown:x)',
    '<javascript:alert>',
    'javascript:alert',
    '[t]()',
    '[t](  )',
    '[t](<>)',
    '[t][r]\n\n[r]: /x',
    '[t] [t][]',
  ])('%j is text', (content) => {
    expect(html(content)).not.toContain('<a')
  })

  test.each([
    '[t](java\tscript:x)',
    '[t](java&Tab;script:x)',
    '[t](\u0001javascript:x)',
    '[t](&nbsp;javascript:x)',
  ])('%j cannot hide its scheme', (content) => {
    expect(html(content)).not.toMatch(/href="(?!http:\/\/)/)
  })
})

describe('a written link without a text', () => {
  test.each(['[](https://e.com/x)', '[ ](https://e.com/x)', '[\n](https://e.com/x "t")'])(
    '%j shows where it leads',
    (content) => {
      expect(html(content)).toContain('>https://e.com/x</a></p>')
    },
  )
})

describe('a link into the organization', () => {
  const own = (content: string) =>
    renderMarkdown(content, createMentionLookup({}), { ...plainSettings, realmUrl: 'https://chat.e.com' })
      .html

  test.each([
    ['https://chat.e.com/#narrow/channel/1-x', '#narrow/channel/1-x'],
    ['https://chat.e.com/user_uploads/1/a.txt', '/user_uploads/1/a.txt'],
    ['https://chat.e.com/login', 'https://chat.e.com/login'],
    ['https://chat.e.com', 'https://chat.e.com'],
    ['https://chat.e.com.evil.com/#x', 'https://chat.e.com.evil.com/#x'],
    ['https://other.e.com/#narrow/x', 'https://other.e.com/#narrow/x'],
  ])('%s leads to %s, and shows the written text', (written, href) => {
    expect(own(written)).toBe(`<p><a href="${href}">${written}</a></p>`)
    expect(own(`[t](${written})`)).toBe(`<p><a href="${href}">t</a></p>`)
  })

  test('is unchanged if the organization’s URL is unknown', () => {
    expect(html('https://chat.e.com/#x')).toBe(
      '<p><a href="https://chat.e.com/#x">https://chat.e.com/#x</a></p>',
    )
  })
})

test('the text of a link may hold brackets, code and marks, and no other link', () => {
  expect(html('[a [b] `]` **c**](/x)')).toBe(
    '<p><a href="/x">a [b] <code>]</code> <strong>c</strong></a></p>',
  )
  expect(html('[<https://e.com>](/x)')).toBe('<p><a href="/x">&lt;https://e.com&gt;</a></p>')
  expect(html('![t](/x)')).toBe('<p>!<a href="/x">t</a></p>')
})

test('a host is shown as it was typed', () => {
  expect(html('https://xn--80ak6aa92e.com')).toContain('>https://xn--80ak6aa92e.com</a>')
})
