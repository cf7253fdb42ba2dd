import { describe, expect, test } from 'vitest'
import { createDirectory } from '../directory.ts'
import { renderMarkdown } from '../render-markdown.ts'

const html = (content: string) => renderMarkdown(content, createDirectory({})).html

describe('a written link', () => {
  test.each([
    ['[t](https://e.com/a?b=c&d)', 'https://e.com/a?b=c&amp;d'],
    ['[t](HTTP://e.com)', 'HTTP://e.com'],
    ['[t](mailto:a@e.com)', 'mailto:a@e.com'],
    ['[t](/user_uploads/1/a.png)', '/user_uploads/1/a.png'],
    ['[t](#narrow/stream/1-x)', '#narrow/stream/1-x'],
    ['[t](example.com/x)', 'http://example.com/x'],
    ['[t](</a b>)', '/a%20b'],
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
    '[t](file:///etc/passwd)',
    '[t](unknown:x)',
    '<javascript:alert>',
    'javascript:alert',
    '[t]()',
    '[t](  )',
    '[t](<>)',
    '[](/x)',
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

describe('an address in angle brackets', () => {
  test.each([
    ['<https://e.com>', 'https://e.com'],
    ['<a@e.com>', 'mailto:a@e.com'],
  ])('%s is a link', (content, href) => {
    expect(html(content)).toBe(`<p><a href="${href}">${content.slice(1, -1)}</a></p>`)
  })

  test('is no link within a link', () => {
    expect(html('[<https://e.com>](/x)')).toBe('<p><a href="/x">&lt;https://e.com&gt;</a></p>')
  })
})

describe('an address in text', () => {
  test.each([
    ['https://e.com/a_b_c', 'https://e.com/a_b_c'],
    ['http://e.com', 'http://e.com'],
    ['mailto:a@e.com', 'mailto:a@e.com'],
    ['a@e.com', 'mailto:a@e.com'],
  ])('%s is a link', (text, href) => {
    expect(html(`see ${text}.`)).toBe(`<p>see <a href="${href}">${text}</a>.</p>`)
  })

  test.each(['example.com', 'main.rs', '//e.com', 'ftp://e.com', 'xhttp:e'])('%s is none', (text) => {
    expect(html(text)).toBe(`<p>${text}</p>`)
  })

  test('shows the host as it was typed', () => {
    expect(html('https://xn--80ak6aa92e.com')).toContain('>https://xn--80ak6aa92e.com</a>')
  })
})
