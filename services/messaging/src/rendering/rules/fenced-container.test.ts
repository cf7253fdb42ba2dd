import { describe, expect, test } from 'vitest'
import { createDirectory } from '../directory.ts'
import { renderMarkdown } from '../render-markdown.ts'

const html = (content: string) => renderMarkdown(content, createDirectory({})).html
const CODE = '<div class="codehilite"><pre><span></span><code>x\n</code></pre></div>'

describe('a quote fence', () => {
  test('holds Markdown', () => {
    expect(html('a\n```quote\n*b*\n\n- c\n```\nd')).toBe(
      '<p>a</p>\n<blockquote>\n<p><em>b</em></p>\n<ul>\n<li>c</li>\n</ul>\n</blockquote>\n<p>d</p>',
    )
  })

  test.each([
    ['a longer bare fence', '```quote\n````\nx\n````\n```\nafter'],
    ['other marks', '```quote\n~~~\nx\n~~~\n```\nafter'],
    ['a shorter fence within a longer one', '````quote\n```\nx\n```\n````\nafter'],
  ])('holds code between %s', (_, content) => {
    expect(html(content)).toBe(`<blockquote>\n${CODE}\n</blockquote>\n<p>after</p>`)
  })

  test('holds labelled code between fences of its own length', () => {
    expect(html('```quote\n```py\nx\n```\nin\n```\nout')).toMatch(/<p>in<\/p>\n<\/blockquote>\n<p>out<\/p>$/)
  })

  test('runs to the end when nothing ends it', () => {
    expect(html('```quote\na\n\nb')).toBe('<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>')
  })

  test('ends with the list item or quote that holds it', () => {
    expect(html('- ```quote\n  a\n- b').match(/<li>/g)).toHaveLength(2)
    expect(html('> ```quote\n> a\n\nb')).toMatch(/<\/blockquote>\n<\/blockquote>\n<p>b<\/p>$/)
  })
})

describe('a spoiler fence', () => {
  test('has a header and hidden content, both Markdown', () => {
    expect(html('```spoiler The *end*\n**dies**\n```').replaceAll('\n', '')).toBe(
      '<div class="spoiler-block"><div class="spoiler-header"><p>The <em>end</em></p></div>' +
        '<div class="spoiler-content" aria-hidden="true"><p><strong>dies</strong></p></div></div>',
    )
  })

  test('may have no header, and hold and be held by quotes', () => {
    const nested = html('```quote\n```spoiler\n```quote\na\n```\n```\nb\n```\nc').replaceAll('\n', '')

    expect(nested).toBe(
      '<blockquote><div class="spoiler-block"><div class="spoiler-header"></div>' +
        '<div class="spoiler-content" aria-hidden="true"><blockquote><p>a</p></blockquote></div></div>' +
        '<p>b</p></blockquote><p>c</p>',
    )
  })
})
