import { describe, expect, test } from 'vitest'
import { createMentionLookup } from '../../kernel/rendering/mention-lookup.ts'
import { renderMarkdown } from '../render-markdown.ts'

const html = (content: string) => renderMarkdown(content, createMentionLookup({})).html
const code = (text: string, attribute = '') =>
  `<div class="codehilite"${attribute}><pre><span></span><code>${text}</code></pre></div>`

describe('code', () => {
  test.each([
    ['```py\nx < y\n```', ' data-code-language="Python"'],
    ['~~~ js\nx < y\n~~~', ' data-code-language="JavaScript"'],
    ['``` {.zyg}\nx < y\n```', ' data-code-language="zyg"'],
    ['```"onload="x\nx < y\n```', ' data-code-language="&quot;onload=&quot;x"'],
    ['```\nx < y\n```', ''],
    ['```\nx < y', ''],
    ['    x < y', ''],
  ])('renders %j', (content, attribute) => {
    expect(html(content)).toBe(code('x &lt; y\n', attribute))
  })

  test.each([
    ['```\n\n \n  x\n\n y\n\n\n```', '  x\n\n y\n'],
    ['```\nx  \n\n```', 'x  \n'],
    ['```\n\tx\n```', '\tx\n'],
    ['    x\n\n      y', 'x\n\n  y\n'],
    ['```\n```', ''],
    ['```\n\n\n```', ''],
  ])('has no empty lines around it: %j', (content, expected) => {
    expect(html(content)).toBe(code(expected))
  })
})

describe('a fence', () => {
  test.each([
    ['longer marks', '```\n````\n```', '````\n'],
    ['shorter marks', '````\n```\n````', '```\n'],
    ['other marks', '~~~\n```\n~~~', '```\n'],
    ['marks with a label', '```\n```js\n```', '```js\n'],
    ['marks further in', '```\n- x\n  ```\n  y\n  ```\n```', '- x\n  ```\n  y\n  ```\n'],
  ])('is not ended by %s', (_, content, expected) => {
    expect(html(`${content}\nafter`)).toBe(`${code(expected)}\n<p>after</p>`)
  })

  test.each([
    ['with spaces behind them', '```\nx\n```  \nafter'],
    ['after text', 'before\n```\nx\n```\nafter'],
  ])('is ended by its own marks %s', (_, content) => {
    expect(html(content)).toMatch(/<code>x\n<\/code><\/pre><\/div>\n<p>after<\/p>$/)
  })

  test('ends with the item or quote that holds it', () => {
    expect(html('> ```\n> x\n\nafter')).toBe(`<blockquote>\n${code('x\n')}\n</blockquote>\n<p>after</p>`)
    expect(html('- ```\n  x\n- y').match(/<li>/g)).toHaveLength(2)
  })
})

describe('code in a line', () => {
  test.each([
    ['`a`', 'a'],
    ['` a `', ' a '],
    ['` `', ' '],
    ['`  a b  c`', '  a b  c'],
    ['`` `a` ``', ' `a` '],
    ['`a\nb`', 'a\nb'],
    ['`a\\`', 'a\\'],
    ['`**a** &amp; <b>`', '**a** &amp;amp; &lt;b&gt;'],
  ])('stays as it was typed: %j', (content, expected) => {
    expect(html(content)).toBe(`<p><code>${expected}</code></p>`)
  })

  test.each(['`a', '``a`', '\\`a`', 'a ``'])('doesn’t begin with %j', (content) => {
    expect(html(content)).not.toContain('<code>')
  })

  test('may follow an escaped backslash', () => {
    expect(html('\\\\`a`')).toBe('<p>\\\\<code>a</code></p>')
  })
})
