import { describe, expect, test } from 'vitest'
import { createMentionLookup } from '../../kernel/rendering/mention-lookup.ts'
import { renderMarkdown } from '../render-markdown.ts'

const html = (content: string) => renderMarkdown(content, createMentionLookup({})).html
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

  test.each(['quoted', 'Quote', ' quote'])('may be labelled %j', (label) => {
    expect(html(`\`\`\`${label}\na\n\`\`\``)).toBe('<blockquote>\n<p>a</p>\n</blockquote>')
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
  test('has a header and hidden content, both Markdown, and nothing between them', () => {
    expect(html('```spoiler The *end*\n**dies**\n\nsoon\n```\nafter')).toBe(
      '<div class="spoiler-block"><div class="spoiler-header">\n<p>The <em>end</em></p>\n</div>' +
        '<div class="spoiler-content" aria-hidden="true">\n<p><strong>dies</strong></p>\n<p>soon</p>\n</div></div>\n' +
        '<p>after</p>',
    )
  })

  test('may have no header, no content, or neither', () => {
    expect(html('```spoiler\nx\n```')).toBe(
      '<div class="spoiler-block"><div class="spoiler-header">\n</div>' +
        '<div class="spoiler-content" aria-hidden="true">\n<p>x</p>\n</div></div>',
    )
    expect(html('```spoiler\n```')).toBe(
      '<div class="spoiler-block"><div class="spoiler-header">\n</div>' +
        '<div class="spoiler-content" aria-hidden="true">\n</div></div>',
    )
  })

  test('may contain and be inside quotes, lists and spoilers', () => {
    const spoiler = (header: string, content: string) =>
      `<div class="spoiler-block"><div class="spoiler-header">${header}</div>` +
      `<div class="spoiler-content" aria-hidden="true">${content}</div></div>`
    const compact = (content: string) => html(content).replaceAll('\n', '')

    expect(compact('```quote\n```spoiler\n```quote\na\n```\n```\nb\n```\nc')).toBe(
      `<blockquote>${spoiler('', '<blockquote><p>a</p></blockquote>')}<p>b</p></blockquote><p>c</p>`,
    )
    expect(compact('- ```spoiler x\n  y\n  ```')).toBe(`<ul><li>${spoiler('<p>x</p>', '<p>y</p>')}</li></ul>`)
    expect(compact('~~~spoiler x\n```spoiler y\nz\n```\n~~~')).toBe(
      spoiler('<p>x</p>', spoiler('<p>y</p>', '<p>z</p>')),
    )
  })
})
