import { describe, expect, test } from 'vitest'
import { renderForMail } from './mail-html.rules.ts'
import { writeForMail } from './mail-text.rules.ts'
import { readMentions } from './mentions.rules.ts'

const BASE = 'https://chat.example.com'
const rendered = (html: string) => renderForMail(html, BASE)
const written = (markdown: string) => writeForMail(markdown, BASE)

describe.each([
  ['rendered content', rendered],
  ['Markdown', written],
])('%s in a mail', (_, change) => {
  test('has no control characters but tabs and line ends', () => {
    expect(change('a\u0001b\u001b[1m\tc\nd\u0085')).toBe('ab[1m\tc\nd')
  })
})

describe('rendered content in a mail', () => {
  test('has absolute links', () => {
    expect(rendered('<p><a href="/user_uploads/1/a.txt">a</a> <a href="/#narrow/x">x</a></p>')).toBe(
      `<p><a href="${BASE}/user_uploads/1/a.txt">a</a> <a href="${BASE}/#narrow/x">x</a></p>`,
    )
    expect(rendered('<a href="#narrow/x">x</a>')).toBe(`<a href="${BASE}/#narrow/x">x</a>`)
  })

  test('keeps links to other sites', () => {
    const html = '<a href="https://example.com/">x</a><a href="//example.com/">y</a>'
    expect(rendered(html)).toBe(html)
  })

  test('has nothing of what a spoiler hides', () => {
    const html = rendered(
      '<div class="spoiler-block"><div class="spoiler-header">\n<p>The end</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<div><p>secret</p></div>\n</div></div>\n<p>after</p>',
    )
    expect(html).not.toContain('secret')
    expect(html).toContain('The end')
    expect(html).toContain('hidden text')
    expect(html).toContain('<p>after</p>')
  })

  test('shows emoji as characters, and own ones as small pictures', () => {
    expect(
      rendered('<span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span>!'),
    ).toBe('🎉!')
    expect(rendered('<img alt=":own:" class="emoji" src="/user_avatars/own.png">')).toContain(
      `width="20" height="20" style="vertical-align:middle" alt=":own:" class="emoji" src="${BASE}/user_avatars/own.png"`,
    )
  })

  test('has no previews, but the link that a preview replaced', () => {
    const preview =
      '<div class="message_inline_image"><a href="/user_uploads/a.png" title="a.png"><img src="/x"></a></div>'
    expect(rendered(`<p><a href="/user_uploads/a.png">a.png</a></p>\n${preview}`)).not.toContain('<img')
    expect(rendered(preview)).toBe(`<p><a href="/user_uploads/a.png">a.png</a></p>`)
  })

  test('shows formulas as TeX', () => {
    expect(
      rendered(
        '<span class="katex"><span class="katex-mathml"><math><semantics><annotation encoding="application/x-tex">a&lt;b</annotation></semantics></math></span><span class="katex-html">a</span></span>.',
      ),
    ).toBe('<code>$$a&lt;b$$</code>.')
  })
})

describe('the Markdown of a message in a mail', () => {
  test('has absolute links', () => {
    expect(written('see [a](/user_uploads/1/a.txt) and [b](https://example.com/)')).toBe(
      `see [a](${BASE}/user_uploads/1/a.txt) and [b](https://example.com/)`,
    )
  })

  test('has nothing of what a spoiler hides', () => {
    const text = written('before\n```spoiler The end\nsecret\n~~~ js\n```\nmore\n~~~\n```\nafter')
    expect(text).toBe('before\nThe end\n(Open the message to see the hidden text.)\nafter')
  })

  test('keeps code and quotes', () => {
    const markdown = '```quote\na\n```\n```js\n```spoiler\n```\nb'
    expect(written(markdown)).toBe(markdown)
  })
})

test('mentions are read without silent ones', () => {
  const html =
    '<span class="user-mention" data-user-id="7">@A</span><span class="user-mention silent" data-user-id="8">B</span><span class="user-group-mention" data-user-group-id="9">@g</span><span class="user-mention" data-user-id="*">@all</span>'
  expect(readMentions(html)).toEqual({ userIds: new Set([7]), groupIds: new Set([9]) })
})
