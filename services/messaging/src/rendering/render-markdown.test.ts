import { describe, expect, test } from 'vitest'
import { createMentionLookup } from '../kernel/rendering/mention-lookup.ts'
import { renderMarkdown } from './render-markdown.ts'

const html = (content: string) => renderMarkdown(content, createMentionLookup({})).html

describe('text', () => {
  test.each([
    ['**bold** *italic* ~~gone~~', '<p><strong>bold</strong> <em>italic</em> <del>gone</del></p>'],
    ['_no_ __init__ snake_case', '<p>_no_ __init__ snake_case</p>'],
    ['one\ntwo\n\nthree', '<p>one<br>\ntwo</p>\n<p>three</p>'],
    ['one\r\ntwo', '<p>one<br>\ntwo</p>'],
    ['`<b> **x**`', '<p><code>&lt;b&gt; **x**</code></p>'],
    ['¯\\_(ツ)_/¯ C:\\*.txt', '<p>¯\\_(ツ)_/¯ C:\\*.txt</p>'],
    ['', ''],
  ])('renders %j', (content, expected) => {
    expect(html(content)).toBe(expected)
  })

  test('shows raw HTML as it was typed', () => {
    expect(html('<script>alert(1)</script> <b onclick="x">')).toBe(
      '<p>&lt;script&gt;alert(1)&lt;/script&gt; &lt;b onclick=&quot;x&quot;&gt;</p>',
    )
    expect(html('<div>\n*x*\n</div>')).toBe('<p>&lt;div&gt;<br>\n<em>x</em><br>\n&lt;/div&gt;</p>')
  })

  test('replaces characters that databases or clients can’t handle', () => {
    expect(html('a\0b \uD800 \uDC00 \u{20000}')).toBe('<p>a\uFFFDb \uFFFD \uFFFD \u{20000}</p>')
  })
})

describe('headings and rules', () => {
  test('a heading needs a space and a text', () => {
    expect(html('# One\n###### Six ##\n#no\n#')).toBe('<h1>One</h1>\n<h6>Six</h6>\n<p>#no<br>\n#</p>')
  })

  test('dashes below a line are a rule, not a heading', () => {
    expect(html('text\n---\nmore\n===')).toBe('<p>text</p>\n<hr>\n<p>more<br>\n===</p>')
  })
})

describe('a line with marks of a fence at both ends', () => {
  test.each([
    ['~~~ hi ~~~', '<p>~~~ hi ~~~</p>'],
    ['~~~hi~~~', '<p>~~~hi~~~</p>'],
    ['a\n~~~~ hi ~~\nb', '<p>a<br>\n~~~~ hi ~~<br>\nb</p>'],
    ['> ~~~ hi ~~~', '<blockquote>\n<p>~~~ hi ~~~</p>\n</blockquote>'],
    ['- ~~~ hi ~~~', '<ul>\n<li>~~~ hi ~~~</li>\n</ul>'],
    ['~~~ spoiler hi ~~~', '<p>~~~ spoiler hi ~~~</p>'],
    ['~~~ quote hi ~~~', '<p>~~~ quote hi ~~~</p>'],
    ['~~~ `hi`', '<p>~~~ <code>hi</code></p>'],
    ['```js ~', '<p>```js ~</p>'],
    ['``` hi ```', '<p><code> hi </code></p>'],
  ])('is text: %j', (content, expected) => {
    expect(html(content)).toBe(expected)
  })

  test('is text in a quote fence, and code in a code fence', () => {
    expect(html('~~~quote\n~~~ hi ~~~\n~~~\nafter')).toBe(
      '<blockquote>\n<p>~~~ hi ~~~</p>\n</blockquote>\n<p>after</p>',
    )
    expect(html('~~~\n~~~ hi ~~~\n~~~')).toContain('<code>~~~ hi ~~~\n</code>')
  })
})

describe('quotes', () => {
  test('a blank line separates quotes', () => {
    expect(html('> a\n> b\n\n> c')).toBe(
      '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>\n<blockquote>\n<p>c</p>\n</blockquote>',
    )
  })

  test.each([
    ['a marker alone', '>', '<p>&gt;</p>'],
    ['a marker below a line', 'a\n>', '<p>a<br>\n&gt;</p>'],
    ['markers alone, one below the other', '>\n> \n>', '<p>&gt;<br>\n&gt;<br>\n&gt;</p>'],
    ['a marker before a line without one', '>\na', '<p>&gt;<br>\na</p>'],
    ['a marker in an item', '- >', '<ul>\n<li>&gt;</li>\n</ul>'],
    ['a marker in a quote', '> >', '<blockquote>\n<p>&gt;</p>\n</blockquote>'],
  ])('%s stays text', (_, content, expected) => {
    expect(html(content)).toBe(expected)
  })

  test('markers without text may begin, divide and end a quote', () => {
    expect(html('>\n>\n> a\n>\n> b\n>')).toBe('<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>')
  })

  test('markers nested too deeply stay visible', () => {
    const deep = html(`${'> '.repeat(60)}bottom`)

    expect(deep.match(/<blockquote>/g)).toHaveLength(40)
    expect(deep).toContain(`<p>${'&gt; '.repeat(20)}bottom</p>`)
  })
})
